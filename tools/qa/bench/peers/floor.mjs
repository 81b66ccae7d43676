import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuMs, startScript } from '../../product.mjs';

/**
 * Starts a program of two processes that stores an event, delivers it signed and records the
 * result, and does nothing else: bare Fastify, pg and undici.
 *
 * @param {string} databaseUrl gets a schema `floor` @param {string} receiver
 * @returns {Promise<Required<import('./peers.mjs').Peer> & { stop: () => Promise<void> }>}
 */
export async function startFloor(databaseUrl, receiver) {
  const folder = await mkdtemp(join(tmpdir(), 'tieline-floor-'));
  const env = { DATABASE_URL: databaseUrl, SOCKET: join(folder, 'socket'), RECEIVER: receiver };
  const api = await startScript('tools/qa/bench/peers/floor-api.mjs', [], env);
  const worker = await startScript('tools/qa/bench/peers/floor-worker.mjs', [], env);
  return {
    origin: `http://127.0.0.1:${api.info.port}`,
    request: (text) => ({
      path: '/messages',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text }),
    }),
    cpuMs: async () => (await cpuMs(api.child.pid)) + (await cpuMs(worker.child.pid)),
    stop: async () => {
      await worker.stop();
      await api.stop();
      await rm(folder, { recursive: true });
    },
  };
}
