import type { Tx } from '@tieline/platform/database';
import { checkRowBudget, OverBudget, setBatch } from './planning-budget.js';

const event = (eventId: string) => ({ eventId, spaceId: 'space', payload: '' });
const rows = new Map([
  ['a', 600],
  ['b', 600],
]);

test('a batch with more rows than one transaction may write is refused', () => {
  const tx = {} as Tx;
  setBatch(tx, [event('a'), event('b')], false);
  expect(() => checkRowBudget(tx, rows)).toThrow(OverBudget);
});

test('a single event is never refused, even if the rows name other events, because it can not be split', () => {
  const tx = {} as Tx;
  setBatch(tx, [event('one')], true);
  expect(() => checkRowBudget(tx, rows)).not.toThrow();
});
