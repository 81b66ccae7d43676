import { readFile } from 'node:fs/promises';
import { brokenPromises, PROMISES } from '../qa/bench/promises.mjs';

it('promises what docs/performance.md says', async () => {
  const text = await readFile(new URL('../../docs/performance.md', import.meta.url), 'utf8');
  const section = text.slice(text.indexOf('## Promises'), text.indexOf('## Measured'));
  const rows = [...section.matchAll(/^\| (.+) \|$/gm)]
    .map(([, row]) => row.split('|').map((cell) => cell.trim()))
    .filter(([, , ratio]) => Number(ratio) > 0);
  expect(rows).toEqual(
    PROMISES.map(({ what, floor, ratio, only }) => [
      what,
      floor,
      String(ratio),
      `\`npm run bench -- --check --only ${only}\``,
    ]),
  );
});

it('names each row whose ratio to its floor is below the promise, or was not measured', () => {
  const row = { on: 'Postgres', row: 'messages', target: 0.6 };
  expect(
    brokenPromises([
      { ...row, ratio: 0.6 },
      { ...row, ratio: 0.59 },
      { ...row, ratio: NaN },
      { ...row, ratio: 0.1, target: 'aim 5 ms' },
    ]),
  ).toEqual([
    'Postgres: messages: the ratio to the floor is 0.59, promised is 0.6',
    'Postgres: messages: the ratio to the floor is NaN, promised is 0.6',
  ]);
});
