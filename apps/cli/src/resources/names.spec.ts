import { Failure } from '../output/failures.js';
import { listed, findByName } from './names.js';

const entries = [
  { id: '1', name: 'general' },
  { id: '2', name: 'Random' },
  { id: '3', name: 'random' },
  { id: '4', display_name: 'Ada' },
  { id: '5', name: 'twin' },
  { id: '6', name: 'twin' },
];

test.each([
  ['general', '1'],
  ['#General', '1'],
  ['Random', '2'],
  ['random', '3'],
  ['@ada', '4'],
  ['6', '6'],
])('%s means %s', (wanted, id) => expect(findByName('thing', entries, wanted).id).toBe(id));

test('an ambiguous name is refused, and the error lists the ids', () => {
  expect(() => findByName('thing', entries, 'twin')).toThrow(
    expect.objectContaining({ exitCode: 4, hint: 'say the id of one: 5, 6' }),
  );
});

test('an unknown name is refused, and the error lists the existing names', () => {
  expect(() => findByName('thing', entries, 'RANDOM')).toThrow('2 things are called "RANDOM"');
  expect(() => findByName('thing', entries, 'x')).toThrow(
    expect.objectContaining({
      message: 'there is no thing "x"',
      hint: expect.stringContaining('general, Random'),
    }),
  );
  expect(() => findByName('thing', [], 'x')).toThrow(Failure);
});

test('lists are given with commas or by repeating the option', () => {
  expect(listed('a, b,', listed('c'))).toEqual(['c', 'a', 'b']);
});
