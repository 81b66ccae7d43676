import { ApiProperty, PartialType } from '@nestjs/swagger';
import {
  Allow,
  ArrayMaxSize,
  IsIn,
  IsOptional,
  IsString,
  Max,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { bodyReader } from './body-reader.js';
import { Convert, emptyAsAbsent, Trimmed } from './conversions.js';
import { Nested, NestedList } from './nested.js';
import { IsText } from '../validation.js';

const StartsWith = (letter: string): PropertyDecorator =>
  ValidateBy({
    name: 'startsWith',
    validator: {
      validate: (value) => String(value).startsWith(letter),
      defaultMessage: () => `$property must start with ${letter}`,
    },
  });

class Dto {
  @StartsWith('b')
  @IsText(1, 3)
  second: string;

  @IsOptional()
  @IsText(1, 3, 'a custom text')
  first?: string;

  @ValidateIf((body: Dto) => body.first === undefined)
  @IsString({ message: ({ property }) => `${property}: no text` })
  third?: string;

  @Allow()
  free?: unknown;
}

const read = bodyReader(Dto);

function refusal(body: unknown): unknown {
  try {
    return read(body);
  } catch (error) {
    return [(error as { status: number }).status, (error as { text: string }).text];
  }
}

test('returns an instance with only the known fields', () => {
  const body = read({ second: 'b', third: 'x', free: { any: 1 }, unknown: 1 });
  expect(body).toBeInstanceOf(Dto);
  expect({ ...body }).toEqual({ second: 'b', first: undefined, third: 'x', free: { any: 1 } });
});

test('an error text names the allowed values, not a placeholder of the validator', () => {
  class Plan {
    @IsIn(['free', 'pro'])
    plan: string;
  }
  expect(() => bodyReader(Plan)({ plan: 'gold' })).toThrow(
    expect.objectContaining({ text: 'plan must be one of the following values: free, pro' }),
  );
});

test.each<[string, string, unknown]>([
  ['a missing text', 'text is required', {}],
  ['a text of null', 'text is required', { text: null }],
  ['a text that is a number', 'text must be a string', { text: 5 }],
  ['a list that is a text', 'tags must be a list', { text: 'a', tags: 'a' }],
  ['a count that is a text', 'count must be a whole number', { text: 'a', tags: [], count: '5' }],
])('%s is reported before any rule about length or range', (_, text, body) => {
  class Typed {
    @ApiProperty()
    @IsText(1, 3, 'text too long')
    text: string;

    @ApiProperty({ type: [String] })
    @IsOptional()
    @ArrayMaxSize(2)
    tags?: string[];

    @ApiProperty({ type: 'integer' })
    @IsOptional()
    @Max(3)
    count?: number;
  }
  expect(() => bodyReader(Typed)(body)).toThrow(expect.objectContaining({ status: 400, text }));
});

test.each<[string, unknown, string]>([
  ['no body', undefined, 'invalid JSON'],
  ['null', null, 'invalid JSON'],
  [
    'a broken rule of a later field',
    { second: 'bcde', first: 1 },
    'second must be a text of 1 to 3 characters',
  ],
  ['the lower decorator first', { second: '' }, 'second must be a text of 1 to 3 characters'],
  ['the upper decorator next', { second: 'a', first: 1 }, 'second must start with b'],
  ['a custom message', { second: 'b', first: '' }, 'a custom text'],
  ['a missing field', { second: 'b' }, 'third is required'],
  ['a condition that is met', { second: 'b', third: 5 }, 'third: no text'],
])('%s gets 400', (_, body, text) => {
  expect(refusal(body)).toEqual([400, text]);
});

test('rules that take arguments, such as IsIn, get them', () => {
  class Choice {
    @IsIn(['a', 'b'], { message: 'a or b' })
    letter: string;
  }
  const readChoice = bodyReader(Choice);
  expect(readChoice({ letter: 'b' })).toEqual({ letter: 'b' });
  expect(() => readChoice({ letter: 'c' })).toThrow(expect.objectContaining({ status: 400, text: 'a or b' }));
});

test('a field whose condition is not met is not checked', () => {
  expect(refusal({ second: 'b', first: 'x', third: 5 })).toBeInstanceOf(Dto);
});

test('unsupported decorators are rejected when the reader is created', () => {
  class Nested {
    @ValidateNested()
    inner: Dto;
  }
  expect(() => bodyReader(Nested)).toThrow('Nested.inner: the body reader does not know nestedValidation');
});

test('a rule can apply to each item of a list', () => {
  class List {
    @IsString({ each: true })
    names: string[];
  }
  const readList = bodyReader(List);
  expect(readList({ names: ['a', 'b'] })).toEqual({ names: ['a', 'b'] });
  for (const names of [['a', 5], 'a', {}])
    expect(() => readList({ names })).toThrow(
      expect.objectContaining({ text: 'each value in names must be a string' }),
    );
});

test('fields are converted first, from the lowest decorator up; PartialType passes that on', () => {
  class Converted {
    @IsText(1, 3)
    @Convert((value) => `${String(value)}!`)
    @Trimmed()
    name: string;

    @IsOptional()
    @Convert(emptyAsAbsent)
    @IsText(2, 3)
    more?: string;

    @IsOptional()
    size = 5;
  }
  const given = { name: ' ab ', more: '' };
  expect(bodyReader(Converted)(given)).toEqual({ name: 'ab!', size: 5 });
  expect(bodyReader(PartialType(Converted))({ name: ' ab ' })).toEqual({ name: 'ab!', size: 5 });
});

describe('nested objects', () => {
  class Small {
    @IsText(1, 3)
    id: string;
  }
  class Large extends Small {
    @IsText(4, 9)
    name: string;
  }
  class Whole {
    @NestedList((one) => ('name' in one ? Large : Small), { unique: 'id' })
    @IsOptional()
    parts?: Small[];

    @Nested(() => Small)
    @IsOptional()
    one?: Small;
  }
  const readWhole = bodyReader(Whole);

  test('are read by their own class, which the value can choose', () => {
    const { parts, one } = readWhole({
      parts: [
        { id: 'a', x: 1 },
        { id: 'b', name: 'long' },
      ],
      one: null,
    });
    expect(parts).toEqual([{ id: 'a' }, { id: 'b', name: 'long' }]);
    expect(parts?.map(({ constructor }) => constructor)).toEqual([Small, Large]);
    expect(one).toBeNull();
  });

  test.each<[string, object, string]>([
    [
      'a broken rule',
      { parts: [{ id: 'a' }, { id: 'b', name: '$&' }] },
      'body.parts[1].name must be a text of 4 to 9 characters',
    ],
    ['no object in a list', { parts: [[]] }, 'body.parts[0]: must be an object'],
    ['no object', { one: 'a' }, 'body.one: must be an object'],
    ['a list in place of an object', { one: [{ id: 'a' }] }, 'body.one: must be an object'],
    ['two alike', { parts: [{ id: 'a' }, { id: 'a' }] }, 'body.parts[1].id: appears twice'],
    [
      'two alike, and a broken one',
      { parts: [{ id: 'a' }, { id: 'a' }, {}] },
      'body.parts[2].id is required',
    ],
  ])('%s gets 400 with its path', (_, body, text) => {
    expect(() => readWhole(body, 'body')).toThrow(expect.objectContaining({ status: 400, text }));
  });
});
