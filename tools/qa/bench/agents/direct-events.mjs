import { performance } from 'node:perf_hooks';
import { WebSocket } from 'ws';

/**
 * Opens a bot's socket and acknowledges everything.
 * @param {string} url of an api @param {string} token
 * @param {(eventType: string, data: any) => string | undefined} keyOf names what is waited for
 * @returns {Promise<{ arrival: (key: string) => Promise<number>, close: () => void }>} `arrival`
 * resolves with the moment at which the event with this key came, of `performance.now()`
 */
export function readDirectEvents(url, token, keyOf) {
  const headers = { authorization: `Bearer ${token}` };
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/bot/socket`, { headers });
  /** @type {Map<string, number>} */
  const arrived = new Map();
  /** @type {Map<string, (at: number) => void>} */
  const waiting = new Map();
  socket.on('message', (message) => {
    const at = performance.now();
    const { envelope_id: id, payload } = JSON.parse(String(message));
    if (id === undefined) return;
    socket.send(JSON.stringify({ envelope_id: id }));
    const key = keyOf(payload.event_type, payload.data ?? payload);
    if (key === undefined || arrived.has(key)) return;
    arrived.set(key, at);
    waiting.get(key)?.(at);
  });
  /** @param {string} key @returns {Promise<number>} */
  const arrival = (key) =>
    new Promise((resolve) => {
      const at = arrived.get(key);
      if (at === undefined) waiting.set(key, resolve);
      else resolve(at);
    });
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve({ arrival, close: () => socket.close() }));
    socket.once('error', reject);
  });
}
