import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LIMITS } from '../sizing/costs.mjs';
import { sized, USUAL } from '../sizing/model.mjs';
import { sizingText, WORKED } from '../sizing/table.mjs';
import { ROOT } from './node-script.mjs';

/** A document without the padding of its tables. */
const read = async (path) => (await readFile(join(ROOT, path), 'utf8')).replace(/ {2,}/g, ' ');
const of = (spaces, more = {}) => sized({ spaces, ...USUAL, ...more });

it('docs/scaling.md has what the tool prints', async () => {
  const [, part] =
    /<!-- sizing: .*?-->\n<!-- prettier-ignore-start -->\n\n([\s\S]*?)\n\n<!-- prettier-ignore-end -->\n<!-- sizing end -->/.exec(
      await read('docs/scaling.md'),
    );
  expect(part).toBe(sizingText().replace(/ {2,}/g, ' '));
  for (const spaces of WORKED) expect(part).toContain(`| ${spaces.toLocaleString('en-US')} |`);
});

it('connections are counted as docs/install.md says', async () => {
  const install = await read('docs/install.md');
  expect(install).toContain('| api | `DATABASE_POOL_MAX` + 4 | + 6 |');
  expect(install).toContain('| worker | `DATABASE_POOL_MAX` + 2 | + 13 |');
  expect(await read('docs/configure.md')).toContain('| `DATABASE_POOL_MAX` | 2 to 1000 | 24 |');
  const { pool } = LIMITS;
  expect(of(1)).toMatchObject({ api: 1, worker: 1, redis: 0, connections: 2 * pool.first + 6 + 13 });
  expect(of(100)).toMatchObject({ api: 2, worker: 2, connections: 4 * pool.first + 2 * 4 + 2 * 2 });
});

it('the log is kept as long as it is planned with, and an api is planned with fewer streams than it takes', async () => {
  expect(await read('docs/install.md')).toContain(`dropped after ${LIMITS.logDays} days`);
  const [, most] = /^\| `STREAMS_MAX` \|[^|]*\| (\d+) \|/m.exec(await read('docs/configure.md'));
  expect(LIMITS.streamsPerApi).toBeLessThan(Number(most));
});

it('twice as much takes twice as much, and never less', () => {
  const [one, two] = [of(20_000), of(40_000)];
  for (const pick of [
    (it) => it.perSecond.message,
    (it) => it.streams,
    (it) => it.diskGb.log,
    (it) => it.megabits,
  ])
    expect(pick(two)).toBeCloseTo(2 * pick(one), 6);
  for (const name of ['people', 'messages', 'subscriptions', 'readers', 'reads', 'online', 'peak']) {
    const more = of(20_000, { [name]: USUAL[name] * 3 });
    for (const part of ['api', 'worker', 'postgresCores', 'connections', 'megabits', 'installations'])
      expect([name, part, more[part] >= one[part]]).toEqual([name, part, true]);
  }
});

it('no process is planned beyond its share of a core, no relay and no PostgreSQL beyond what it carries', () => {
  for (const spaces of [1, 100, 10_000, 1_000_000, 3_000_000]) {
    const it = of(spaces);
    expect(it.perSecond.message / it.installations).toBeLessThanOrEqual(LIMITS.eventsPerRelay);
    expect(it.postgresCores / it.installations).toBeLessThanOrEqual(LIMITS.postgresCores + 1);
    expect(it.streams / it.api).toBeLessThanOrEqual(LIMITS.streamsPerApi);
  }
});
