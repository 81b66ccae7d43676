// Who posts all the time, and remembers what was accepted and when.
import { setTimeout as sleep } from 'node:timers/promises';
import { call } from '../calls.mjs';

const SENDERS = 4;
const EVERY_MS = 40;

/** @param {string} url @param {{ token: string, channels: string[] }} workspace */
export function startSenders(url, { token, channels: [channel] }) {
  /** Requests answered with 200: id, and the time span in which they were accepted. */
  const accepted = [];
  let isOver = false;
  const sender = async () => {
    for (let n = 0; !isOver; n += 1) {
      const sentAt = performance.now();
      const body = { conversation_id: channel, content: `message ${n}` };
      const answer = await call(url, 'POST', '/api/v1/bot/messages', { token, body });
      if (answer.status === 200)
        accepted.push({ id: answer.body.message_id, sentAt, answeredAt: performance.now() });
      await sleep(EVERY_MS);
    }
  };
  const all = Promise.all(Array.from({ length: SENDERS }, sender));
  return {
    accepted,
    stop() {
      isOver = true;
      return all;
    },
  };
}
