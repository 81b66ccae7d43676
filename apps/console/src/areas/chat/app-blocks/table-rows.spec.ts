import { cellText, filteredRows, rowsOf, sortedRows } from './table-rows.js';

const word = (text: string) => ({ type: 'raw_text', text });
const number = (value: number) => ({ type: 'raw_number', value, text: `${value} €` });

const ROWS = [
  [word('Bread'), number(10)],
  [word('apples'), number(9)],
  [word('Cheese'), word('free')],
];

const names = (rows: readonly { text?: unknown }[][]) => rows.map(([name]) => cellText(name));

it('sorts numbers by value and texts by language', () => {
  expect(names(sortedRows(ROWS, { column: 1, isDescending: false }))).toEqual(['apples', 'Bread', 'Cheese']);
  expect(names(sortedRows(ROWS, { column: 0, isDescending: true }))).toEqual(['Cheese', 'Bread', 'apples']);
  expect(sortedRows(ROWS, undefined)).toEqual(ROWS);
});

it('finds rows by a part of any cell', () => {
  expect(names(filteredRows(ROWS, 'APP'))).toEqual(['apples']);
  expect(names(filteredRows(ROWS, '10 €'))).toEqual(['Bread']);
  expect(filteredRows(ROWS, ' ')).toHaveLength(3);
});

it('reads cells of every kind, and rows that are not lists', () => {
  expect(rowsOf({ rows: [[word('a')], 'x', null] })).toEqual([[word('a')], [], []]);
  expect(rowsOf({})).toEqual([]);
  const rich = {
    type: 'rich_text',
    elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'b' }] }],
  };
  expect([cellText(rich), cellText(undefined), cellText({ type: 'raw_number', value: 3 })]).toEqual([
    'b',
    '',
    '3',
  ]);
});
