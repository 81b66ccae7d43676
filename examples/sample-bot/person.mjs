/**
 * A person's client in a terminal, for trying the bot. Each command does one thing and prints the
 * result:
 *
 *   node person.mjs type '/release 1.4.2'
 *   node person.mjs click <action_id> [values, as many as the element takes]
 *   node person.mjs typing plan version 1.4
 *   node person.mjs submit <modal_token> '{"reason":"too early"}'
 */
import { setTimeout as sleep } from 'node:timers/promises';

const { TIELINE_URL, USER_TOKEN, CHANNEL } = process.env;
const API = `${TIELINE_URL}/api/v1`;
const WAIT_MS = 5000;
const PAUSE_MS = 300;
const headers = { authorization: `Bearer ${USER_TOKEN}`, 'content-type': 'application/json' };

async function call(method, path, body) {
  const response = await fetch(`${API}${path}`, { method, headers, body: body && JSON.stringify(body) });
  return response.json();
}

async function history() {
  const { messages, error } = await call('GET', `/channels/${CHANNEL}/messages`);
  if (!messages) throw new Error(error);
  return messages.map(({ id, text, metadata_json: json }) => ({
    id,
    text,
    elements: json ? JSON.parse(json).blocks.flatMap((block) => block.elements ?? []) : [],
  }));
}

const COMMANDS = {
  type: (text) => call('POST', `/client/conversations/${CHANNEL}/commands`, { text }),
  submit: (token, values = '{}') =>
    call('POST', `/client/modals/${token}/submit`, { values: JSON.parse(values) }),
  typing: (command, option, typed) =>
    call('POST', `/client/conversations/${CHANNEL}/commands/options`, { command, option, typed }),
  click: async (actionId, ...values) => {
    // The newest message with the element. Its token proves to Tieline that the bot created the
    // element.
    const has = ({ elements }) => elements.some(({ action_id: id }) => id === actionId);
    const message = (await history()).findLast(has);
    if (!message) return { ok: false, error: `no message has ${actionId}` };
    const { signed_token: token } = message.elements.find(({ action_id: id }) => id === actionId);
    return call('POST', `/client/messages/${message.id}/interactions`, {
      action_id: actionId,
      signed_token: token,
      ...(values.length > 0 && { selected_values: values }),
    });
  },
};

/**
 * Prints events of the person's stream, where the answers of a polling bot arrive. Calls `onEvent`
 * for each.
 */
async function follow(body, onEvent) {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      if (!line.startsWith('data: ')) continue;
      console.log('stream ', line.slice('data: '.length));
      onEvent();
    }
  }
}

const [command, ...args] = process.argv.slice(2);
if (!COMMANDS[command]) throw new Error(`use one of: ${Object.keys(COMMANDS).join(', ')}`);
const leave = new AbortController();
const stream = await fetch(`${API}/client/stream`, { headers, signal: leave.signal });
let following;
const heard = new Promise((done) => (following = follow(stream.body, done).catch(() => undefined)));
const answer = await COMMANDS[command](...args);
console.log('answer ', JSON.stringify(answer));
// "The bot will answer": wait until it does.
if (['queued', 'ack'].includes(answer.result))
  await Promise.race([heard, sleep(WAIT_MS, undefined, { ref: false })]);
await sleep(PAUSE_MS);
leave.abort();
await following;
for (const { text, elements } of (await history()).slice(-2))
  console.log('message', text, elements.map(({ action_id: id }) => `[${id}]`).join(' '));
