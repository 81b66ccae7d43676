import { MaxLength } from 'class-validator';
import { getMetadataArgsStorage } from 'typeorm';
import { json, nullable, text } from '../database/columns.js';
import { bodyReader } from '../http/bodies/body-reader.js';
import { Trimmed } from '../http/bodies/conversions.js';
import {
  auditedOf,
  bodyOf,
  changesOf,
  entityOf,
  field,
  selectionOf,
  settingsOf,
  viewOf,
  withDefaults,
} from './index.js';

const MODES = ['fast', 'slow'] as const;
const SETTING = { settable: ['create', 'update'], audited: true, shown: true } as const;
const THING = {
  id: field('uuid', { key: true, shown: true, example: 'i' }),
  displayName: field('text', { ...SETTING, rules: [MaxLength(5), Trimmed()], example: 'n' }),
  mode: field(text<'fast' | 'slow'>(), {
    ...SETTING,
    enum: MODES,
    default: 'fast',
    body: { description: 'how' },
  }),
  tags: field('text[]', {
    ...SETTING,
    default: [],
    rules: [],
    read: (tags: string[]) => [...new Set(tags)],
    example: ['a'],
  }),
  isOpen: field('bool', { stored: false, settable: ['create'], default: true, shown: { example: true } }),
  closedAt: field(nullable('timestamptz'), { shown: { optional: true }, example: 't' }),
  createdAt: field('timestamptz', { shown: true, example: 't' }),
  secretHash: field('bytea', { secret: true }),
  details: field(json<{ n: number }>()),
};
class Thing extends entityOf(THING) {}
class ThingView extends viewOf(THING) {}
class CreateThing extends bodyOf(THING, 'create') {}
class UpdateThing extends bodyOf(THING, 'update') {}

const CREATED = new Date('2026-01-01T00:00:00Z');
const row = {
  id: 'i',
  displayName: 'n',
  mode: 'slow' as const,
  tags: ['a'],
  closedAt: null,
  createdAt: CREATED,
};

function problem(Body: new () => object, body: object): string | undefined {
  try {
    bodyReader(Body)(body);
    return undefined;
  } catch (error) {
    return (error as { text: string }).text;
  }
}

const documented = (view: Function, name: string): unknown =>
  Reflect.getMetadata('swagger/apiModelProperties', view.prototype as object, name);

test('an entity has the stored fields', () => {
  const base = Object.getPrototypeOf(Thing) as Function;
  const columns = getMetadataArgsStorage().columns.filter(({ target }) => target === base);
  expect(columns.map(({ propertyName, options }) => ({ propertyName, ...options }))).toMatchObject([
    { propertyName: 'id', name: 'id', type: 'uuid', primary: true },
    { propertyName: 'displayName', name: 'display_name', type: 'text', array: false, nullable: false },
    { propertyName: 'mode', type: 'text' },
    { propertyName: 'tags', type: 'text', array: true },
    { propertyName: 'closedAt', name: 'closed_at', type: 'timestamptz', nullable: true, select: true },
    { propertyName: 'createdAt', name: 'created_at' },
    { propertyName: 'secretHash', type: 'bytea', select: false },
    { propertyName: 'details', type: 'jsonb' },
  ]);
});

test('a statement selects stored fields, times as texts', () => {
  const { mode, closedAt } = THING;
  const { sql, columns } = selectionOf({ mode, closedAt }, 't');
  expect(sql).toMatch(/^t\.mode AS "mode",\n.*t\.closed_at.* AS "closedAt"$/);
  expect(columns).toEqual({ mode: { type: 'text' }, closedAt: { type: 'text', nullable: true } });
});

describe('a view', () => {
  test('has the shown fields under their names in JSON, in order', () => {
    expect(Object.entries(ThingView.of({ ...row, isOpen: true }))).toEqual([
      ['id', 'i'],
      ['display_name', 'n'],
      ['mode', 'slow'],
      ['tags', ['a']],
      ['is_open', true],
      ['created_at', '2026-01-01T00:00:00.000Z'],
    ]);
  });

  test('shows an optional field that is not null', () => {
    expect(ThingView.of({ ...row, isOpen: true, closedAt: CREATED }).closed_at).toBe(
      '2026-01-01T00:00:00.000Z',
    );
  });

  test('does not compile without a field', () => {
    // @ts-expect-error isOpen is missing
    expect(ThingView.of(row)).not.toHaveProperty('is_open');
  });

  test('is documented', () => {
    expect(documented(ThingView, 'mode')).toMatchObject({ required: true, enum: MODES, type: 'string' });
    expect(documented(ThingView, 'closed_at')).toMatchObject({ required: false, example: 't' });
    expect(documented(ThingView, 'secret_hash')).toBeUndefined();
  });
});

describe('a body', () => {
  test('of a creation requires the fields without default', () => {
    expect(problem(CreateThing, { display_name: ' name ' })).toBeUndefined();
    expect(problem(CreateThing, {})).toBe('display_name is required');
  });

  test('of another request requires none and has only its own fields', () => {
    expect(problem(UpdateThing, { mode: null })).toBeUndefined();
    expect(documented(UpdateThing, 'is_open')).toBeUndefined();
  });

  test('is validated by the rules of its fields, or by those of their types', () => {
    const body = { display_name: 'n', mode: 'fast', is_open: true };
    expect(problem(CreateThing, body)).toBeUndefined();
    expect([
      problem(CreateThing, { ...body, display_name: 'longer' }),
      problem(CreateThing, { ...body, mode: 'x' }),
      problem(CreateThing, { ...body, is_open: 1 }),
    ]).toEqual([
      expect.stringContaining('display_name must be shorter'),
      'mode must be one of fast, slow',
      'is_open must be a boolean value',
    ]);
  });

  test('is read without absent and null values', () => {
    const body = { display_name: 'n', mode: null, tags: ['a', 'a'], is_open: false };
    expect(CreateThing.valuesOf(body)).toEqual({ displayName: 'n', tags: ['a'], isOpen: false });
  });

  test('documents defaults of creations only', () => {
    expect(documented(CreateThing, 'mode')).toMatchObject({
      default: 'fast',
      description: 'how',
      required: false,
    });
    expect(documented(UpdateThing, 'mode')).not.toHaveProperty('default');
    expect(documented(CreateThing, 'display_name')).toMatchObject({ required: true, type: String });
  });

  test('needs rules for other types', () => {
    const bare = { name: field('text', { settable: ['create'] }) };
    expect(() => bodyOf(bare, 'create')).toThrow('name is settable and has no rules');
  });
});

test('defaults fill what is absent or undefined', () => {
  expect(withDefaults(THING, { displayName: 'n', mode: undefined, tags: ['b'] })).toEqual({
    displayName: 'n',
    mode: 'fast',
    tags: ['b'],
    isOpen: true,
  });
});

test('settings are the stored fields that requests set', () => {
  expect(settingsOf(THING, row)).toEqual({ displayName: 'n', mode: 'slow', tags: ['a'] });
});

test('changes are the present values that differ', () => {
  const given = { displayName: undefined, mode: 'slow' as const, tags: ['a', 'b'] };
  expect(changesOf(settingsOf(THING, row), given)).toEqual({ tags: ['a', 'b'] });
});

test('the audit log records audited fields that are present, by their names in JSON', () => {
  expect(auditedOf(THING, { id: 'i', displayName: 'n', tags: undefined })).toEqual({ display_name: 'n' });
});
