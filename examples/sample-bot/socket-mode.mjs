/** One connection that the bot opens brings everything, and takes the answers. Nothing has to reach it from outside. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerEvent, answerInvocation, answerTyping } from './answers.mjs';

const { API, BOT_TOKEN } = process.env;
const PAUSE_MS = 1000;

/** Never ends. What was not acknowledged when a socket ended comes again by the next one. */
export async function holdSocket() {
  // Part of Node.js from version 22 on; before with --experimental-websocket.
  if (!globalThis.WebSocket) throw new Error('this Node.js has no WebSocket');
  for (;;) {
    const socket = new WebSocket(`${API.replace(/^http/, 'ws')}/bot/socket`, [
      'tieline.v1',
      `tieline.bearer.${BOT_TOKEN}`,
    ]);
    socket.onmessage = ({ data }) => take(socket, JSON.parse(data));
    const [{ code, reason }] = await once(socket, 'close');
    console.error(`the socket ended: ${code} ${reason}`);
    await sleep(PAUSE_MS);
  }
}

/** Envelopes come while others are still worked on, so that nobody waits for somebody else's answer. */
async function take(socket, { type, envelope_id: id, payload, ...told }) {
  if (type === 'hello') return console.log(`ready: connected as ${told.connection_id}`);
  if (type === 'disconnect' || type === 'error') return console.error(type, id ?? '', told);
  try {
    const answer = await ANSWERS[type](payload);
    socket.send(JSON.stringify({ envelope_id: id, answer }));
  } catch (error) {
    console.error(error);
    // Unacknowledged it comes again; what can never be dealt with is better done with.
    if (!error.mayWorkLater) socket.send(JSON.stringify({ envelope_id: id }));
  }
}

/** By the type of the envelope. The answer to a click, a form, a command or a question travels with the acknowledgement. */
const ANSWERS = {
  interaction: (event) => answerEvent(event, { canChainModals: true }),
  command: answerInvocation,
  options: answerTyping,
  event: () => undefined,
};
