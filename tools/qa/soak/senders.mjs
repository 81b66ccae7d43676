// Senders. Each loop records the texts of accepted messages, and of those with an unknown outcome.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { call, insist } from '../calls.mjs';

const PAUSE_MS = 120;

/** What senders were promised. */
export class Ledger {
  /** Text of a message: its id. */
  accepted = new Map();
  /** Texts of messages with an unknown outcome. */
  unknown = new Set();
  alerts = new Set();
  runs = new Set();
  tasks = new Set();
  /** Ids of messages: the text that they were changed to. */
  edits = new Map();
  reactions = new Set();
  /** Messages with a file. */
  files = new Set();
  /** Unexpected responses. */
  faults = [];
  sent = {};
  /** Refused for their rate. */
  limited = 0;

  /** An accepted message has another text now. */
  changed(text, changed) {
    const id = this.accepted.get(text);
    this.accepted.delete(text);
    this.accepted.set(changed, id);
    this.edits.set(id, changed);
  }

  /** Notes the answer to a message that was sent once. */
  note(kind, text, { status, body }, wanted = 200) {
    this.sent[kind] = (this.sent[kind] ?? 0) + 1;
    if (status === wanted && body.message_id) this.accepted.set(text, body.message_id);
    else if (status === 0 || status >= 500) this.unknown.add(text);
    else if (status === 429) this.limited += 1;
    else this.faults.push(`${kind}: ${status} ${JSON.stringify(body)}`);
    return this.accepted.get(text);
  }
}

/**
 * @param {object} world see `world.mjs` @param {Ledger} ledger @param {AbortSignal} signal @returns
 * one promise per sender, which ends after `signal`
 */
export function startSenders(world, ledger, signal) {
  const loops = { people, people2: people, bots, edits, files, alerts, clicks, commands, runs, tasks, dms };
  return Object.entries(loops).map(async ([name, send]) => {
    for (let n = 0; !signal.aborted; n += 1) {
      await send(world, ledger, `${name} ${n}`).catch((error) =>
        ledger.faults.push(`${name} ${n}: ${error}`),
      );
      await sleep(PAUSE_MS);
    }
  });
}

const say = (world, conversation, text, url = world.url()) =>
  call(url, 'POST', `/api/v1/client/conversations/${conversation}/messages`, {
    token: world.owner,
    body: { text },
  });

const post = (world, text, more = {}) =>
  insist(world.url, 'POST', '/api/v1/bot/messages', {
    token: world.bot.token,
    key: randomUUID(),
    body: { conversation_id: world.channel(), content: text, ...more },
  });

async function people(world, ledger, text) {
  ledger.note('people', text, await say(world, world.channel(), text));
}

async function bots(world, ledger, text) {
  ledger.note('bots', text, await post(world, text));
}

/** Posts, changes and reacts. */
async function edits(world, ledger, text) {
  const { token } = world.bot;
  const posted = await post(world, text);
  const id = ledger.note('bots', text, posted);
  if (!id) return;
  const path = `/api/v1/bot/messages/${id}`;
  const changed = `${text}, changed`;
  const edited = await insist(world.url, 'PATCH', path, { token, body: { content: changed } });
  if (edited.status === 200) ledger.changed(text, changed);
  else ledger.faults.push(`edits: ${edited.status} ${JSON.stringify(edited.body)}`);
  const reacted = await insist(world.url, 'PUT', `${path}/reactions/%F0%9F%91%8D`, { token });
  if (reacted.status === 200) ledger.reactions.add(id);
  else ledger.faults.push(`reactions: ${reacted.status} ${JSON.stringify(reacted.body)}`);
  ledger.sent.edits = (ledger.sent.edits ?? 0) + 1;
}

/** Uploads a file and sends it. */
async function files(world, ledger, text) {
  const { token } = world.bot;
  const conversation = world.channel();
  const bytes = Buffer.from(text);
  const asked = {
    conversation_id: conversation,
    file_name: 'soak.txt',
    file_size: bytes.length,
    mime_type: 'text/plain',
  };
  const made = await insist(world.url, 'POST', '/api/v1/bot/files/upload_sessions', { token, body: asked });
  const { upload } = made.body;
  if (!upload) return void ledger.faults.push(`files: ${made.status} ${JSON.stringify(made.body)}`);
  for (;;) {
    await send(world.url(), upload, bytes);
    const path = `/api/v1/bot/files/${upload.file_id}/confirm`;
    const { status } = await insist(world.url, 'POST', path, {
      token,
      body: { conversation_id: conversation },
    });
    if (status === 200) break;
    await sleep(PAUSE_MS);
  }
  const attachments = [{ file_id: upload.file_id }];
  const answer = await post(world, text, { conversation_id: conversation, attachments });
  const id = ledger.note('files', text, answer);
  if (id) ledger.files.add(id);
}

/** The link names the api that made it, which may be gone: any other takes the bytes as well. */
async function send(url, { upload_url: link, method, headers }, bytes) {
  const { pathname, search } = new URL(link);
  const signal = AbortSignal.timeout(5_000);
  await fetch(`${url}${pathname}${search}`, { method, headers, body: bytes, signal }).catch(() => undefined);
}

async function dms(world, ledger, text) {
  ledger.note('direct messages', text, await say(world, world.dm, text));
}

async function alerts(world, ledger, text) {
  const answer = await insist(world.url, 'POST', `/api/v1/webhooks/incoming/${world.incoming}`, {
    key: randomUUID(),
    body: { text, severity: 'critical' },
  });
  const id = ledger.note('alerts', text, answer);
  if (id) ledger.alerts.add(id);
}

async function clicks(world, ledger, text) {
  const button = { type: 'button', action_id: 'go', text: 'Go', data: text };
  const metadata = { version: 1, blocks: [{ type: 'actions', elements: [button] }] };
  const { body } = await post(world, text, { metadata_json: JSON.stringify(metadata) });
  const token = await world.tokenOf(body.message_id);
  const answer = await call(world.url(), 'POST', `/api/v1/client/messages/${body.message_id}/interactions`, {
    token: world.owner,
    body: { action_id: 'go', signed_token: token },
  });
  ledger.note('clicks', `answer to ${text}`, answer);
}

async function commands(world, ledger, text) {
  const path = `/api/v1/client/conversations/${world.channel()}/commands`;
  const answer = await call(world.url(), 'POST', path, {
    token: world.owner,
    body: { text: `/shake ${text}` },
  });
  const { status, body } = answer;
  // The bot was not reached: the person is notified, and nothing is posted.
  const isRefused = status === 200 && body.message_id === undefined;
  ledger.note('commands', `answer to ${text}`, isRefused ? { status: 0, body } : answer);
}

async function runs(world, ledger, text) {
  const conversation = world.channel();
  const question = await say(world, conversation, text);
  const trigger = ledger.note('people', text, question);
  if (!trigger) return;
  const { token } = world.bot;
  const run = { conversation_id: conversation, trigger_message_id: trigger, idempotency_key: randomUUID() };
  const made = await insist(world.url, 'POST', '/api/v1/bot/agent_runs', { token, body: run });
  const id = made.body.agent_run?.id;
  if (!id) return void ledger.faults.push(`runs: ${made.status} ${JSON.stringify(made.body)}`);
  for (const [sequence, status] of [
    [2, 'using_tool'],
    [3, 'finalizing'],
    [4, 'completed'],
  ]) {
    const said = `answer to ${text}, ${status}`;
    const body = {
      sequence,
      status,
      ...(status === 'finalizing' ? { append: said } : { public_text: said }),
    };
    const { status: code } = await insist(world.url, 'PATCH', `/api/v1/bot/agent_runs/${id}`, {
      token,
      body,
    });
    if (code !== 200) ledger.faults.push(`runs: ${status} was answered with ${code}`);
  }
  ledger.sent.runs = (ledger.sent.runs ?? 0) + 1;
  ledger.runs.add(id);
}

async function tasks(world, ledger, text) {
  const { token } = world.bot;
  const task = { conversation_id: world.channel(), idempotency_key: randomUUID(), title: text };
  const made = await insist(world.url, 'POST', '/api/v1/bot/execution_tasks', { token, body: task });
  const { widget_id: id, sequence } = made.body.execution_task ?? {};
  if (!id) return void ledger.faults.push(`tasks: ${made.status} ${JSON.stringify(made.body)}`);
  const body = { action: 'update', status: 'completed', sequence, idempotency_key: randomUUID() };
  const changed = await insist(world.url, 'PATCH', `/api/v1/bot/execution_tasks/${id}`, { token, body });
  if (changed.status !== 200) ledger.faults.push(`tasks: ${changed.status} ${JSON.stringify(changed.body)}`);
  ledger.sent.tasks = (ledger.sent.tasks ?? 0) + 1;
  ledger.tasks.add(id);
}
