import { Failure } from '../output/failures.js';
import { listed, named } from './names.js';

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
])('%s means %s', (wanted, id) => expect(named('thing', entries, wanted).id).toBe(id));

test('a name of several is refused, with their ids', () => {
  expect(() => named('thing', entries, 'twin')).toThrow(
    expect.objectContaining({ exitCode: 4, hint: 'say the id of one: 5, 6' }),
  );
});

test('a name of none is refused, with those that there are', () => {
  expect(() => named('thing', entries, 'RANDOM')).toThrow('2 things are called "RANDOM"');
  expect(() => named('thing', entries, 'x')).toThrow(
    expect.objectContaining({
      message: 'there is no thing "x"',
      hint: expect.stringContaining('general, Random'),
    }),
  );
  expect(() => named('thing', [], 'x')).toThrow(Failure);
});

test('lists are given by commas or again and again', () => {
  expect(listed('a, b,', listed('c'))).toEqual(['c', 'a', 'b']);
});
