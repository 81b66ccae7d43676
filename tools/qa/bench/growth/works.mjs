// What is done again and again, at whatever size.
import { json } from '../../calls.mjs';
import { SMALL } from './fill.mjs';

/** A message on its whole way, and the part of it that its sender waits for. */
export const TOLD = 'a message is sent, planned, and at its receiver';
/** Deliveries that keep the order are never sent without a claim. */
export const ORDERED = 'a message is sent, planned, claimed, and at its ordered receiver';
export const SENT = 'a message is sent';
const PAGE = 50;
const random = (below) => Math.floor(Math.random() * below);

/** A page must be full, else it is no page of the size that is compared. */
function full(list) {
  if (list.length !== PAGE) throw new Error(`a page of ${PAGE} had ${list.length}`);
}

function some(list) {
  if (list.length === 0) throw new Error('nothing was found');
}

function none(list) {
  if (list.length > 0) throw new Error('something was found');
}

async function searched({ api, owner }, word) {
  const path = `/api/v1/client/search/messages?q=${word}&limit=${PAGE}`;
  return (await json(api.url, 'GET', path, owner)).results;
}

/** Searches one of the many small spaces. */
const searchedSmall = ({ api, smallOwner }, word) => searched({ api, owner: smallOwner }, word);

/**
 * Each is one piece of work in an installation. `told` resolves when the message with this text has
 * come to the subscription's receiver. A work may return the milliseconds of its parts.
 * @type {Record<string, (one: any, told: (text: string) => Promise<unknown>) =>
 * Promise<Record<string, number> | void>>}
 */
export const WORKS = {
  [TOLD]: async (one, told) => {
    const text = `told ${random(1e9)}`;
    const come = told(text);
    const begun = performance.now();
    await send(one, text);
    const sentMs = performance.now() - begun;
    await come;
    return { [SENT]: sentMs };
  },
  [ORDERED]: async ({ orderedChannel, ...one }, told) => {
    const text = `told ${random(1e9)}`;
    const come = told(text);
    await send({ ...one, channel: orderedChannel }, text);
    await come;
  },
  'page of a poll queue': async ({ api, pollToken, pollIds, size }) => {
    const [first, last] = /** @type {bigint[]} */ (pollIds);
    const cursor = first + ((last - first) * BigInt(random(size - 2 * PAGE))) / BigInt(size);
    const { events } = await json(
      api.url,
      'GET',
      `/api/v1/bot/events?cursor=${cursor}&limit=${PAGE}`,
      pollToken,
    );
    full(events);
  },
  'page of a history': async ({ api, owner, channel, size }) => {
    const path = `/api/v1/channels/${channel}/messages?limit=${PAGE}&before_msg_index=${PAGE + 2 + random(size - PAGE)}`;
    full((await json(api.url, 'GET', path, owner)).messages);
  },
  'delta sync: what was sent or changed of late': async ({ api, owner, channel, since }) => {
    const path = `/api/v1/channels/${channel}/messages?limit=${PAGE}&after_msg_index=0&updated_since=${since}`;
    full((await json(api.url, 'GET', path, owner)).messages);
  },
  'page of the delivery log': async ({ api, owner, subscription, logCursors }) => {
    const cursor = logCursors[random(logCursors.length)];
    const path = `/api/v1/admin/outgoing_webhooks/${subscription}/deliveries?limit=${PAGE}&cursor=${encodeURIComponent(cursor)}`;
    full((await json(api.url, 'GET', path, owner)).deliveries);
  },
  'search: a frequent word': async (one) => full(await searched(one, 'message')),
  'search: a rare word': async (one) => some(await searched(one, `rare${random(one.size / 100)}`)),
  'search: an absent word': async (one) => none(await searched(one, `absent${random(1e9)}`)),
  'search in a small space: a frequent word': async (one) => full(await searchedSmall(one, 'message')),
  'search in a small space: a rare word': async (one) =>
    some(await searchedSmall(one, `rare${1 + random(SMALL)}`)),
  'search in a small space: an absent word': async (one) =>
    none(await searchedSmall(one, `absent${random(1e9)}`)),
  'page of notifications': async ({ api, owner }) => {
    full((await json(api.url, 'GET', `/api/v1/client/notifications?limit=${PAGE}`, owner)).notifications);
  },
};

/** Only the log itself knows where its pages begin. */
export async function logCursors({ api, owner, subscription }) {
  const cursors = [];
  let cursor = '';
  for (let page = 0; page < 10; page += 1) {
    const path = `/api/v1/admin/outgoing_webhooks/${subscription}/deliveries?limit=${PAGE}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
    cursor = (await json(api.url, 'GET', path, owner)).next_cursor;
    cursors.push(cursor);
  }
  return cursors;
}

function send({ api, token, channel }, content) {
  return json(api.url, 'POST', '/api/v1/bot/messages', token, { conversation_id: channel, content });
}
