import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually } from '@tieline/testing';
import { LocalRelay } from './local-relay.js';
import { RelaySocket, relaySocketPath } from './relay-socket.js';

let folder: string;
let file: string | undefined;
const ends: (() => void)[] = [];
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tieline-relay-'));
  file = relaySocketPath(folder);
});
afterEach(async () => {
  for (const end of ends.splice(0)) end();
  await rm(folder, { recursive: true, force: true });
});

/** A relay that counts its wake-ups. */
class Counting {
  leading = true;
  wakeUps = 0;

  wake(): void {
    this.wakeUps += 1;
  }
}

async function lead(relay = new Counting()): Promise<Counting> {
  const socket = new RelaySocket(file, relay);
  ends.push(() => socket.close());
  await socket.open();
  return relay;
}

/** Waits long for answers, because relay and caller share a process that may be busy. */
function caller(): LocalRelay {
  const local = new LocalRelay(file, 10_000);
  ends.push(() => local.close());
  return local;
}

/** Resolves when a new caller can wake the leader, which may have just begun to listen. */
const reachable = (): Promise<unknown> => eventually(async () => expect(await caller().wake()).toBe(true));

test('wakes the leading relay of this machine, and confirms each wake-up', async () => {
  const relay = await lead();
  await reachable();
  const local = caller();
  const before = relay.wakeUps;
  for (let n = 0; n < 100; n += 1) expect(await local.wake()).toBe(true);
  expect(relay.wakeUps - before).toBe(100);
});

test('without a relay, with one that does not lead, and after its end, callers learn that nobody was woken', async () => {
  expect(await caller().wake()).toBe(false);
  const relay = await lead();
  await reachable();
  const local = caller();
  expect(await local.wake()).toBe(true);
  relay.leading = false;
  expect(await local.wake()).toBe(false);
  expect(await caller().wake()).toBe(false);
  relay.leading = true;
  const connected = caller();
  expect(await connected.wake()).toBe(true);
  for (const end of ends.splice(0, 2)) end();
  expect(await caller().wake()).toBe(false);
});

test('a new leader of the same machine replaces the earlier one', async () => {
  const [earlier, later] = [await lead(), new Counting()];
  await reachable();
  earlier.leading = false;
  await lead(later);
  await reachable();
  expect(later.wakeUps).toBeGreaterThan(0);
});

test('a frozen relay does not hold up its callers', async () => {
  const frozen = createServer(() => undefined);
  await new Promise<void>((done) => frozen.listen(file, done));
  ends.push(() => frozen.close());
  const local = new LocalRelay(file);
  ends.push(() => local.close());
  expect(await local.wake()).toBe(false);
});

test('a long DATA_DIR has no socket, and callers use the bus', async () => {
  expect(relaySocketPath(`/${'x'.repeat(120)}`)).toBeUndefined();
  expect(await new LocalRelay(undefined).wake()).toBe(false);
});
