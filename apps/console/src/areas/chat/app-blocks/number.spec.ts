import { numberFault, numberFaults } from './number.js';
import { stateOf } from './state.js';

const WORDS = {
  number: 'number',
  wholeNumber: 'whole',
  atLeast: (least: string) => `>= ${least}`,
  atMost: (most: string) => `<= ${most}`,
};

it.each([
  ['', {}, undefined],
  ['12', { min_value: '12', max_value: '12' }, undefined],
  ['-3.5', { is_decimal_allowed: true, min_value: '-3.5' }, undefined],
  ['9', { min_value: '10' }, '>= 10'],
  ['0', { max_value: '-1' }, '<= -1'],
  ['2.51', { is_decimal_allowed: true, max_value: '2.5' }, '<= 2.5'],
  ['1.5', {}, 'whole'],
  ['1e3', { is_decimal_allowed: true }, 'number'],
  ['1,5', { is_decimal_allowed: true }, 'number'],
  ['ten', {}, 'whole'],
])('%j in %j: %j', (typed, element, fault) => {
  expect(numberFault(element, typed, WORDS)).toBe(fault);
});

it('returns the faults of a form by block', () => {
  const block = (id: string, value: string) => ({
    type: 'input',
    block_id: id,
    element: { type: 'number_input', action_id: 'n', initial_value: value, max_value: '5' },
  });
  const text = { type: 'input', block_id: 't', element: { type: 'plain_text_input', action_id: 'n' } };
  const blocks = [block('a', '6'), block('b', '5'), text];
  expect(numberFaults(blocks, stateOf(blocks), WORDS)).toEqual({ a: '<= 5' });
});
