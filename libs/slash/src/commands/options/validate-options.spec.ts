import type { CommandOption, OptionType } from './command-option.js';
import { OptionError } from './given-options.js';
import { validateOptions } from './validate-options.js';

const ID = '0190d5e0-0000-7000-8000-00000000000a';
const option = (type: OptionType, more: Partial<CommandOption> = {}): CommandOption => ({
  name: 'x',
  description: '',
  type,
  required: false,
  autocomplete: false,
  ...more,
});
const CHOICES = [
  { name: 'Production', value: 'live' },
  { name: 'Staging', value: 'test' },
];

/** Returns the value for the bot, or the error for the person. */
function validate(one: CommandOption, value: unknown): unknown {
  const values = validateOptions([one], new Map([['x', value]]));
  return values instanceof OptionError ? values.text : values.x;
}

test.each<[CommandOption, unknown, unknown]>([
  [option('string'), 'a b', 'a b'],
  [option('string', { minLength: 2, maxLength: 3 }), '😀😀😀', '😀😀😀'],
  [option('integer'), 7, 7],
  [option('integer'), '-7', -7],
  [option('integer'), '-0', 0],
  [option('integer', { min: 1, max: 3 }), '3', 3],
  [option('number'), '1.50', 1.5],
  [option('number'), 1e3, 1000],
  [option('number', { min: 0.5 }), 0.5, 0.5],
  [option('boolean'), 'true', true],
  [option('boolean'), false, false],
  [option('user'), `<@${ID.toUpperCase()}>`, ID],
  [option('user'), ID.toUpperCase(), ID],
  [option('conversation'), ID, ID],
  [option('choice', { choices: CHOICES }), 'live', 'live'],
  [option('choice', { choices: CHOICES }), 'Staging', 'test'],
])('%j takes %j', (one, value, typed) => {
  expect(validate(one, value)).toBe(typed);
});

test.each<[CommandOption, unknown, string]>([
  [option('string'), 7, 'a text of 1 to 4000 characters'],
  [option('string'), 'x'.repeat(4001), 'a text of 1 to 4000 characters'],
  [option('string', { minLength: 3 }), 'ab', 'a text of 3 to 4000 characters'],
  [option('string', { maxLength: 1 }), 'ab', 'a text of 1 to 1 characters'],
  [option('integer'), 1.5, 'a whole number'],
  [option('integer'), '1.0', 'a whole number'],
  [option('integer'), '9007199254740993', 'a whole number'],
  [option('integer'), '0x10', 'a whole number'],
  [option('integer'), ' 1', 'a whole number'],
  [option('integer'), true, 'a whole number'],
  [option('integer', { min: 1, max: 3 }), 4, 'a whole number from 1 to 3'],
  [option('integer', { min: 1 }), 0, 'a whole number from 1'],
  [option('number', { max: 1 }), '1.01', 'a number up to 1'],
  [option('number'), 'Infinity', 'a number'],
  [option('number'), '1e400', 'a number'],
  [option('boolean'), 1, 'true or false'],
  [option('boolean'), 'TRUE', 'true or false'],
  [option('user'), '@ann', 'a person in this space'],
  [option('user'), [ID], 'a person in this space'],
  [option('conversation'), '#general', 'a conversation you can read'],
  [option('choice', { choices: CHOICES }), 'LIVE', 'one of Production, Staging'],
  [option('choice', { choices: CHOICES }), {}, 'one of Production, Staging'],
])('%j does not take %j', (one, value, wanted) => {
  expect(validate(one, value)).toBe(`“x” must be ${wanted}.`);
});

test.each([undefined, null, ''])('%j counts as absent', (nothing) => {
  expect(validateOptions([option('integer')], new Map([['x', nothing]]))).toEqual({});
  expect(validate(option('integer', { required: true }), nothing)).toBe('“x” is missing.');
});

test('an unknown option is an error, whatever its name', () => {
  for (const name of ['y', 'toString', '__proto__'])
    expect(validateOptions([option('string')], new Map([[name, 'a']]))).toEqual(
      new OptionError(`There is no option “${name}”.`),
    );
});
