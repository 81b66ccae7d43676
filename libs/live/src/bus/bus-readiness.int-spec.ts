import pg from 'pg';
import { HealthChecks } from '@tieline/platform/observability';
import { createTestDatabase, eventually } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import { BusModule } from './bus.module.js';
import { LiveBus } from './live-bus.js';
import { PostgresTransport } from './postgres-transport.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('the check "bus" is down until the bus is connected, and up again after a lost session', async () => {
  const bus = new LiveBus(new PostgresTransport(database.url));
  const checks = new HealthChecks();
  const module = new BusModule(bus, checks);
  const [{ name, absence, check } = {} as never] = checks.parts();
  expect([name, absence]).toEqual(['bus', 'degrades']);
  expect(check).toThrow('the bus is not connected');
  await bus.start();
  expect(check).not.toThrow();

  const admin = new pg.Client(database.url);
  await admin.connect();
  let wasDown = false;
  bus.onReconnect(() => (wasDown = true));
  await admin.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );
  await eventually(() => expect(wasDown).toBe(true));
  await eventually(() => expect(check).not.toThrow());
  await admin.end();
  await module.onApplicationShutdown();
});
