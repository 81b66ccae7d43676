import { CursorLedger } from './cursor-ledger.js';

const troubles: unknown[] = [];
let saved: string[];
let ledger: CursorLedger;

beforeEach(() => {
  saved = [];
  ledger = new CursorLedger({ load: () => '', save: (cursor) => void saved.push(cursor) }, (error) =>
    troubles.push(error),
  );
});

test('the cursor moves past finished records from the oldest on, in whatever order they finish', async () => {
  const [first, second, third] = ['1', '2', '3'].map((id) => ledger.take(id));
  await third!();
  await second!();
  expect(saved).toEqual([]);
  expect(ledger.size).toBe(3);
  await first!();
  expect(saved).toEqual(['3']);
  expect(ledger.size).toBe(0);
});

test('only the latest of the cursors reached while saving is saved next', async () => {
  let release!: () => void;
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  const save = (cursor: string) => {
    saved.push(cursor);
    return isReleased;
  };
  ledger = new CursorLedger({ load: () => '', save }, () => undefined);
  const all = ['1', '2', '3'].map((id) => ledger.take(id)());
  expect(saved).toEqual(['1']);
  release();
  await Promise.all(all);
  expect(saved).toEqual(['1', '3']);
});

test('a failing store is reported, and the next acknowledgement tries again', async () => {
  let isAway = true;
  const save = (cursor: string) => {
    if (isAway) throw new Error('away');
    saved.push(cursor);
  };
  ledger = new CursorLedger({ load: () => '', save }, (error) => troubles.push(error));
  await ledger.take('1')();
  expect(troubles).toMatchObject([{ message: 'away' }]);
  isAway = false;
  await ledger.flush();
  expect(saved).toEqual(['1']);
});
