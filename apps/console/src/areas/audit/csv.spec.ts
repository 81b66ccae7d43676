import { csvOf } from './csv.js';

it('quotes values that would break a row', () => {
  expect(csvOf([['a', 'b,c', 'd"e', 'f\ng']])).toBe('\uFEFFa,"b,c","d""e","f\ng"\r\n');
});

it('neutralizes formulas in names', () => {
  expect(csvOf([['=HYPERLINK("x")', '-1', '@a']])).toBe(`\uFEFF"'=HYPERLINK(""x"")",'-1,'@a\r\n`);
});
