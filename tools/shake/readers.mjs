// Whoever is told of messages: a receiver for subscriptions, pushes and callbacks, a bot that polls, a bot with a DM stream.
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { insist } from './calls.mjs';

/** What one reader was told: of each message the ids of the events that told it, and how often. */
export class Told {
  messages = new Map();
  count = 0;

  add(messageId, eventId) {
    this.count += 1;
    const events = this.messages.get(messageId) ?? new Set();
    this.messages.set(messageId, events.add(eventId));
  }
}

/** @param {() => number} random one request in thirty is answered with 503 */
export async function startReceiver(random) {
  const told = { '/hook': new Told(), '/push': new Told() };
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString());
    const reader = told[request.url];
    if (!reader) return void response.setHeader('content-type', 'application/json').end(answerTo(body));
    if (random() < 1 / 30) return void response.writeHead(503).end();
    reader.add(body.data.message_id, body.event_id);
    response.end();
  });
  server.keepAliveTimeout = 60_000;
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    hook: told['/hook'],
    push: told['/push'],
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** What a bot says to a click or a command. */
function answerTo({ event_type: type, data, text }) {
  return type === 'button.click'
    ? JSON.stringify({ send_message: { text: `answer to ${data}` } })
    : JSON.stringify({ response_type: 'in_channel', text: `answer to ${text}` });
}

/** Reads a bot's queue until `signal` says stop. @returns what it was told, and whether a record came twice or out of order */
export function startPolling(url, token, signal) {
  const told = new Told();
  const reader = { told, faults: [], ended: undefined };
  reader.ended = (async () => {
    let cursor = '';
    while (!signal.aborted) {
      const path = `/api/v1/bot/events?limit=200&wait=5&cursor=${cursor}`;
      const { status, body } = await insist(url, 'GET', path, { token });
      if (status !== 200) return void reader.faults.push(`${status} ${JSON.stringify(body)}`);
      for (const event of body.events) {
        if (cursor !== '' && BigInt(event.id) <= BigInt(cursor))
          reader.faults.push(`record ${event.id} after ${cursor}`);
        cursor = event.id;
        told.add(JSON.parse(event.payload_json).message_id, event.event_id);
      }
    }
  })();
  return reader;
}

/** Reads a bot's direct messages, on one stream after the other. */
export function startListening(url, token, signal) {
  const told = new Told();
  const listen = async () => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${url()}/api/v1/bot/stream`, { headers, signal });
    if (!response.ok) return;
    let rest = '';
    for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + part).split('\n');
      rest = lines.pop();
      for (const line of lines.filter((one) => one.startsWith('data: '))) {
        const { event, message_id: id } = JSON.parse(line.slice(6));
        if (event === 'message.new') told.add(id, id);
      }
    }
  };
  const ended = (async () => {
    while (!signal.aborted) {
      await listen().catch(() => undefined);
      await sleep(200);
    }
  })();
  return { told, ended };
}
