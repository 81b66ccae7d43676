import { shareTieline } from '../share-tieline.js';
import type { Tieline } from '../tieline.js';
import { CIRCUMSTANCES, prepareExample } from './examples.js';
import type { PreparedExample } from './examples.js';
import { ExamplesScene } from './examples-scene.js';
import { jsonBodies, resolved } from './json-bodies.js';
import type { Schema } from './json-bodies.js';

type Json = Record<string, unknown>;

/** Incoming webhooks respond `request rejected` to every error. */
const OTHER_SHAPE = /Hook$|IncomingWebhook$|^editIncomingMessage$|^postToService$/;
const ABOUT_LENGTH = /too long|too many|characters|shorter|longer|elements|items/;
/** Values of a wrong type. */
const WRONG: Readonly<Record<string, unknown[]>> = {
  string: [5, true, {}, []],
  integer: ['x', true, {}],
  number: ['x', true, {}],
  boolean: ['x', 5, {}],
  array: ['x', 5, {}],
  object: ['x', 5],
};
/** Error texts that do not concern a single field. */
const FIXED_TEXTS = /^(content or attachments required|invalid idempotency key|only one of .* is allowed)$/;

let tieline: Tieline;
let scene: ExamplesScene;
beforeAll(async () => {
  const shared = await shareTieline();
  ({ tieline } = shared);
  scene = await ExamplesScene.furnish(shared.api, await tieline.receiver());
});
afterAll(() => tieline?.close());

const seen = new Set<string>();
const bodies = jsonBodies().flatMap(({ example, schema }) => {
  const { operationId } = example;
  if (seen.has(operationId) || !CIRCUMSTANCES[operationId] || OTHER_SHAPE.test(operationId)) return [];
  seen.add(operationId);
  return [[operationId, example, schema] as const];
});

test('most operations with a body are covered', () => {
  expect(bodies.length).toBeGreaterThan(40);
});

test.each(bodies)('%s names a missing or wrongly typed field', async (_, example, schema) => {
  const prepared = (await prepareExample(scene, example)) as PreparedExample;
  const body = JSON.parse(prepared.body) as Json;
  const problems: unknown[] = [];
  for (const [field, value] of wrongFields(schema)) {
    const changed = { ...body, [field]: value };
    const response = await prepared.send(JSON.stringify(changed));
    const answer = (await response.json()) as Json;
    const isRequired = schema.required?.includes(field) === true;
    // An optional field may accept null, and a field without a type accepts anything.
    if (response.status < 300 && !isRequired) continue;
    const problem = problemOf(response.status, answer, field, value);
    if (problem !== undefined) problems.push([field, value, problem, answer]);
  }
  expect(problems).toEqual([]);
});

/** Fields with single-line names; names of commands and options have their own rule. */
const isName = (operationId: string, field: string): boolean =>
  field === 'display_name' || field === 'username' || (field === 'name' && !/Command/.test(operationId));

const named = bodies.flatMap(([operationId, example, schema]) =>
  Object.keys(schema.properties ?? {})
    .filter((field) => isName(operationId, field))
    .map((field) => [`${operationId}: ${field}`, field, example] as const),
);

test('names of people, bots, channels, spaces, webhooks and messages are covered', () => {
  expect(named.length).toBeGreaterThanOrEqual(12);
});

test.each(named)(
  '%s refuses line breaks, controls and bidirectional overrides',
  async (_, field, example) => {
    const prepared = (await prepareExample(scene, example)) as PreparedExample;
    for (const value of ['line1\nline2', 'a\u001b[1m', '\u202eadmin', 'a\u2028b']) {
      const response = await prepared.send(
        JSON.stringify({ ...(JSON.parse(prepared.body) as Json), [field]: value }),
      );
      expect([response.status, await response.json()]).toEqual([400, expect.objectContaining({ field })]);
    }
  },
);

/** Returns each field with missing and wrongly typed values. */
function* wrongFields({ properties = {}, required = [] }: Schema): Generator<[string, unknown]> {
  for (const [field, schema] of Object.entries(properties)) {
    const types = [resolved(schema).type ?? []].flat();
    if (required.includes(field) && !types.includes('null'))
      yield* [undefined, null].map((value): [string, unknown] => [field, value]);
    yield* (WRONG[types.find((type) => type !== 'null') ?? ''] ?? []).map((value): [string, unknown] => [
      field,
      value,
    ]);
  }
}

function problemOf(status: number, { error, field: named }: Json, field: string, value: unknown): unknown {
  if (status !== 400) return 'not refused';
  const text = String(error);
  if (/\$\w/.test(text)) return 'a placeholder';
  if (FIXED_TEXTS.test(text)) return undefined;
  if (named !== undefined && String(named).split(/[.[]/)[0] !== field) return 'another field';
  if (!text.includes(field)) return 'does not name the field';
  const isMissing = value === undefined || value === null;
  if (isMissing) return /required/.test(text) ? undefined : 'does not say that it is missing';
  return / must be /.test(text) && !ABOUT_LENGTH.test(text) ? undefined : 'does not say the type';
}
