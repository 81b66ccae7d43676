import { groupsOf, optionsOf } from './options.js';

const option = (value: string, description?: string) => ({
  text: { type: 'plain_text', text: value.toUpperCase() },
  value,
  ...(description && { description: { type: 'plain_text', text: description } }),
});

it('reads options and groups of options', () => {
  expect(groupsOf({ options: [option('a', 'first')] })).toEqual([
    { label: '', options: [{ id: 'a', label: 'A', hint: 'first', option: option('a', 'first') }] },
  ]);
  const groups = [
    { label: { type: 'plain_text', text: 'One' }, options: [option('a')] },
    { label: { type: 'plain_text', text: 'None' }, options: [] },
    { label: { type: 'plain_text', text: 'Two' }, options: [option('b'), option('c')] },
  ];
  expect(groupsOf({ option_groups: groups }).map(({ label }) => label)).toEqual(['One', 'Two']);
  expect(optionsOf({ option_groups: groups }).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
});

it('ignores what is not a list', () => {
  expect([undefined, null, 'x', { options: 'x' }, { option_groups: {} }].map(optionsOf)).toEqual([
    [],
    [],
    [],
    [],
    [],
  ]);
});
