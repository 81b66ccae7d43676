import pg from 'pg';
import { createTestDatabase, eventually } from '@tieline/testing';
import { LiveBus } from './live-bus.js';
import { PostgresTransport } from './postgres-transport.js';
import { topicOf } from './topics.js';
import type { TransportEvents } from './transport.js';

const CHANNEL = 'live@space';
const TOPIC = topicOf(CHANNEL);
const database = await createTestDatabase();
/** Sees all notifications of the topic, without being a process of the product. */
const server = new pg.Client(database.url);
const sender = new LiveBus(new PostgresTransport(database.url));
const transports: PostgresTransport[] = [];
let heard: string[] = [];

beforeAll(async () => {
  await server.connect();
  await server.query(`LISTEN tieline_bus; LISTEN tieline_bus_${TOPIC}`);
  server.on('notification', ({ payload = '' }) => heard.push(payload));
  await sender.start();
});
afterAll(async () => {
  await Promise.all([sender, ...transports].map((one) => one.close()));
  await server.end();
  await database.drop();
});

/** Starts a process that listens to no topic yet. */
async function startProcess(): Promise<PostgresTransport> {
  const transport = new PostgresTransport(database.url);
  transports.push(transport);
  const ignore = (): void => undefined;
  await new Promise<void>((resolve) => {
    const events: TransportEvents = {
      ...{ received: ignore, sendable: ignore, missed: ignore, failed: ignore },
      ...{ wants: () => false, topics: () => [], listening: () => resolve() },
    };
    transport.start(events);
  });
  return transport;
}

/** Publishes a message to the topic. @returns whether the server notified listeners */
async function isNotified(): Promise<boolean> {
  heard = [];
  sender.publish(CHANNEL, 'message');
  sender.publish('mark', 'message');
  await eventually(() => heard.some((frame) => frame.includes('mark')));
  return heard.some((frame) => frame.includes(CHANNEL));
}

test('a topic is notified while a process listens to it', async () => {
  const [first, second] = [await startProcess(), await startProcess()];
  expect(await isNotified()).toBe(false);
  await Promise.all([first.listen(TOPIC), second.listen(TOPIC)]);
  expect(await isNotified()).toBe(true);
  first.leave(TOPIC);
  expect(await isNotified()).toBe(true);
  second.leave(TOPIC);
  await eventually(async () => expect(await isNotified()).toBe(false));
});

test('a process that is gone does not keep its topics notified', async () => {
  const process = await startProcess();
  await process.listen(TOPIC);
  expect(await isNotified()).toBe(true);
  await process.close();
  await eventually(async () => expect(await isNotified()).toBe(false));
});
