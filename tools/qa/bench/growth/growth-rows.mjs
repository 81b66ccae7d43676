// (g) What work costs in a small installation and in large ones: hot statements find their rows by
// indexes, so it should hardly grow.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../../postgres/server.mjs';
import { median } from '../load.mjs';
import { perPart, perWork, statementsSince } from './blocks.mjs';
import { makeInstallation } from './installation.mjs';
import { startTold } from './receiver.mjs';
import { logCursors, WORKS } from './works.mjs';

const SETTINGS = {
  shared_preload_libraries: 'pg_stat_statements',
  // All of it in memory: what is compared is work, not disks.
  shared_buffers: '3GB',
  max_wal_size: '8GB',
  // Off, because it would be counted for whatever is measured at that moment.
  autovacuum: 'off',
};

/**
 * One and the same work in installations that have `sizes` rows of each: messages in the channel,
 * records in the poll queue, deliveries in the log, subscriptions of other channels (at most
 * 100,000), spaces, postponed deliveries, notifications. A thousandth of it are small spaces with a
 * hundred messages each. They take turns, so that a busy machine hits all.
 * @param {{ rounds: number, works: number, sizes: number[] }} options
 */
export async function growth({ rounds, works, sizes }) {
  const folder = await mkdtemp(join(tmpdir(), 'tieline-growth-'));
  const server = await startPostgres({ dataDir: folder, rights: 'superuser', settings: SETTINGS });
  const receiver = await startTold();
  const installations = [];
  try {
    for (const size of sizes) installations.push(await makeInstallation(server, size, receiver.url));
    for (const one of installations) await start(one);
    const taken = [];
    for (let round = -1; round < rounds; round += 1)
      for (const name of Object.keys(WORKS))
        for (const one of installations) {
          const found = await measured(one, name, receiver.told, round < 0 ? Math.ceil(works / 4) : works);
          if (round >= 0) taken.push(...found);
        }
    return rowsOf(taken, sizes);
  } finally {
    for (const { processes = [], db, product } of installations) {
      for (const one of processes) await one.stop();
      await db.end();
      await rm(product.dataDir, { recursive: true, force: true });
    }
    await receiver.stop();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function start(one) {
  await one.db.query('CREATE EXTENSION pg_stat_statements');
  one.api = await one.product.start('api');
  one.processes = [one.api, await one.product.start('worker')];
  one.logCursors = await logCursors(one);
  const { rows } = await one.db.query(
    'SELECT sent_at FROM messages WHERE space_id = $1 AND conversation_id = $2 AND msg_index = $3',
    [one.spaceId, one.channel, one.size - 60],
  );
  one.since = rows[0].sent_at.toISOString();
}

async function measured(one, name, told, works) {
  const before = await statementsSince(one.db);
  /** @type {Map<string, number[]>} */
  const times = new Map([[name, []]]);
  const note = (part, ms) => times.set(part, [...(times.get(part) ?? []), ms]);
  for (let n = 0; n < works; n += 1) {
    const begun = performance.now();
    const parts = await WORKS[name](one, told);
    note(name, performance.now() - begun);
    for (const [part, ms] of Object.entries(parts ?? {})) note(part, ms);
  }
  const statements = await statementsSince(one.db, before);
  const parts = { [name]: perWork(statements, works), ...perPart(name, statements, works) };
  // For parts without a separate duration only the time of their statements is known.
  return Object.entries(parts).map(([part, { blocks, ms }]) => ({
    name: part,
    size: one.size,
    blocks,
    ms: median(times.get(part) ?? [ms]),
  }));
}

function rowsOf(taken, sizes) {
  const names = [...new Set(taken.map(({ name }) => name))];
  return names.flatMap((name) =>
    ['ms', 'blocks'].map((unit) => {
      const of = (size) =>
        median(taken.filter((one) => one.name === name && one.size === size).map((one) => one[unit]));
      const figures = sizes.map(of);
      const shown = figures.map((figure) => figure.toFixed(unit === 'ms' ? 2 : 0));
      return {
        row: `${name}, ${unit}`,
        ours: `${shown.at(-1)} at ${sizes.at(-1).toLocaleString('en')} rows`,
        floor: sizes
          .slice(0, -1)
          .map((size, n) => `${shown[n]} at ${size.toLocaleString('en')}`)
          .join(', '),
        ratio: figures.at(-1) / figures[0],
        target: '<= 1.5',
      };
    }),
  );
}
