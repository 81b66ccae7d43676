// Readers: a bot that polls, one with a socket, one with a DM stream.
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import { insist } from '../calls.mjs';
import { Told } from './told.mjs';

/**
 * Reads a bot's queue until `signal` aborts.
 *
 * @returns the records, and whether one came twice or out of order
 */
export function startPolling(url, token, signal) {
  const told = new Told();
  /** @type {string[]} */
  const faults = [];
  const ended = (async () => {
    let cursor = '';
    while (!signal.aborted) {
      const path = `/api/v1/bot/events?limit=200&wait=5&cursor=${cursor}`;
      const { status, body } = await insist(url, 'GET', path, { token });
      if (status !== 200) return void faults.push(`${status} ${JSON.stringify(body)}`);
      for (const event of body.events) {
        if (cursor !== '' && BigInt(event.id) <= BigInt(cursor))
          faults.push(`record ${event.id} after ${cursor}`);
        cursor = event.id;
        told.add(JSON.parse(event.payload_json).message_id, event.event_id);
      }
    }
  })();
  return { told, faults, ended };
}

/** Reads a bot's direct messages, on one stream after the other. */
export function startListening(url, token, signal) {
  const told = new Told();
  const listen = async () => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${url()}/api/v1/bot/stream`, { headers, signal });
    if (!response.ok) return;
    let rest = '';
    if (!response.body) return;
    for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + part).split('\n');
      rest = lines.pop() ?? '';
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

/** Reads a bot's events over one socket after the other, and acknowledges each. */
export function startSocket(url, token, signal) {
  const told = new Told();
  const listen = () =>
    new Promise((ended) => {
      const address = `${url().replace('http', 'ws')}/api/v1/bot/socket`;
      const socket = new WebSocket(address, {
        headers: { authorization: `Bearer ${token}` },
        handshakeTimeout: 20_000,
      });
      const leave = () => socket.terminate();
      signal.addEventListener('abort', leave);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        signal.removeEventListener('abort', leave);
        ended(undefined);
      });
      socket.on('message', (text) => {
        const { type, envelope_id: envelope, payload } = JSON.parse(String(text));
        if (type === 'event') told.add(payload.data.message_id, payload.event_id);
        if (type === 'disconnect') leave();
        else if (envelope && type !== 'error') socket.send(JSON.stringify({ envelope_id: envelope }));
      });
    });
  const ended = (async () => {
    while (!signal.aborted) {
      await listen();
      await sleep(200);
    }
  })();
  return { told, ended };
}
