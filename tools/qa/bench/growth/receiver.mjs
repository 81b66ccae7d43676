import { startReceiver } from '../../receiver.mjs';

/** Starts a receiver that reports when the message with a text has arrived. */
export async function startTold() {
  /** @type {Map<string, () => void>} */
  const waiting = new Map();
  const receiver = await startReceiver((_, { data }, response) => {
    response.end();
    waiting.get(data.text)?.();
    waiting.delete(data.text);
  });
  /** @param {string} text @returns {Promise<void>} */
  const told = (text) => new Promise((done) => waiting.set(text, () => done()));
  return { ...receiver, told };
}
