import { LiveBus, PostgresTransport } from '@tieline/live';
import { openDb, runInWorkerTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import type { Queue } from '@tieline/queue';
import { createTestDatabase, eventually } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import { DELIVERIES } from '../plan-deliveries.js';
import type { PlannedWork } from '../lanes/planned-targets.js';
import { DeliveryWakeups } from './delivery-wakeups.module.js';

/** A process that plans and sends deliveries. */
interface Process {
  db: Db;
  bus: LiveBus;
  wakeups: DeliveryWakeups;
  heard: () => number;
  news: () => PlannedWork | undefined;
}

let database: TestDatabase;
const processes: Process[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  for (const { wakeups, bus, db } of processes) {
    await wakeups.onModuleDestroy();
    await bus.close();
    await db.close();
  }
  await database.drop();
});

async function start(): Promise<Process> {
  const db = await openDb({ databaseUrl: database.url });
  const bus = new LiveBus(new PostgresTransport(database.url));
  await bus.start();
  const wakeups = new DeliveryWakeups(db, bus, {
    wake: () => Promise.resolve(true),
  } as unknown as Queue);
  const all: (PlannedWork | undefined)[] = [];
  wakeups.listen((news) => all.push(news));
  const started = { db, bus, wakeups, heard: () => all.length, news: () => all.at(-1) };
  processes.push(started);
  return started;
}

test('each commit is reported once, immediately in its process and over the bus in others', async () => {
  const [here, there] = [await start(), await start()];
  const plan = (db: Db): Promise<void> => runInWorkerTx(db, async (tx) => tx.signal(DELIVERIES));
  let ends = 0;
  for (const { bus } of processes) bus.subscribe('end', () => (ends += 1));
  await plan(here.db);
  expect(here.heard()).toBe(1);
  await plan(there.db);
  // Messages of the bus arrive in order.
  for (const { bus } of processes) bus.publish('end', true);
  await eventually(() => expect(ends).toBe(4));
  expect([here.heard(), there.heard()]).toEqual([2, 2]);
});

test('every process learns the targets of newly planned deliveries', async () => {
  const [here, there] = [await start(), await start()];
  await runInWorkerTx(here.db, async (tx) => {
    for (const subject of ['0', '0/space/target']) tx.signal(DELIVERIES, subject);
  });
  await eventually(() => expect(there.heard()).toBe(1));
  const planned = new Map([[0, { targets: new Map([['target', 'space']]), areAll: true }]]);
  expect([here.news(), there.news()]).toEqual([planned, planned]);
});
