/** Text that `npm run sizing` prints, also between the markers in docs/scaling.md. */
import { COSTS, LIMITS } from './costs.mjs';
import { sized, USUAL } from './model.mjs';

/** Numbers of spaces in the example rows. */
export const WORKED = [1, 100, 10_000, 1_000_000];

const number = (value) => {
  if (value >= 100) return Math.round(value).toLocaleString('en-US');
  if (value >= 10) return String(Math.round(value));
  return String(Number(value.toPrecision(2)));
};
const gigabytes = (value) =>
  value >= 1000
    ? `${number(value / 1000)} TB`
    : value < 1
      ? `${number(value * 1000)} MB`
      : `${number(value)} GB`;
const bits = (value) => (value >= 1000 ? `${number(value / 1000)} Gbit/s` : `${number(value)} Mbit/s`);
const row = (cells) => `| ${cells.join(' | ')} |`;

const COLUMNS = {
  spaces: (load) => number(load.spaces),
  people: (load) => number(load.spaces * load.people),
  'messages/s': (_, it) => number(it.perSecond.message),
  'deliveries/s': (_, it) => number(it.perSecond.delivery),
  streams: (_, it) => number(it.streams),
  installations: (_, it) => number(it.installations),
  api: (_, it) => number(it.api),
  worker: (_, it) => number(it.worker),
  Redis: (_, it) => (it.redis === 0 ? 'none' : number(it.redis)),
  'PostgreSQL cores': (_, it) => number(it.postgresCores),
  connections: (_, it) => number(it.connections),
  memory: (_, it) => gigabytes(it.memoryGb),
  'messages in a year': (_, it) => gigabytes(it.diskGb.messagesPerYear),
  'delivery log': (_, it) => gigabytes(it.diskGb.log),
  'WAL in a day': (_, it) => gigabytes(it.diskGb.walPerDay),
  network: (_, it) => bits(it.megabits),
};

/** @param {import('./model.mjs').Load[]} loads @returns {string} a table with a row for each */
export function sizingTable(loads) {
  return [
    row(Object.keys(COLUMNS)),
    row(Object.keys(COLUMNS).map(() => '--:')),
    ...loads.map((load) => {
      const it = sized(load);
      return row(Object.values(COLUMNS).map((cell) => cell(load, it)));
    }),
  ].join('\n');
}

function costsTable() {
  const { cpu, disk, wal, network } = COSTS;
  const names = {
    message: 'a message: stored, sent to streams, planned',
    delivery: 'a delivery: planned, signed, sent, logged',
    read: 'a page of history',
    streamed: 'a live event on one stream',
  };
  const cell = (value) => (value === undefined || value === 0 ? '' : number(value));
  return [
    row(['', 'api, ms', 'worker, ms', 'PostgreSQL, ms', 'disk, bytes', 'WAL, bytes', 'network, bytes']),
    row(['---', ...Array.from({ length: 6 }, () => '--:')]),
    ...Object.entries(names).map(([kind, name]) => {
      const { api, worker, postgres } = cpu[kind];
      return row([name, ...[api, worker, postgres, disk[kind], wal[kind], network[kind]].map(cell)]);
    }),
  ].join('\n');
}

/** Returns the text between the markers. */
export function sizingText() {
  const { people, messages, subscriptions, readers, reads, online, peak } = USUAL;
  return `Cost per item, CPU in milliseconds of one core:

${costsTable()}

A process takes about ${number(COSTS.memory.process / 1e6)} MB, an open stream ${number(COSTS.memory.stream / 1000)} KB.

The rows below assume ${people} people per space, ${online * 100} % of them online. Each person sends ${messages} messages and reads
${reads} pages per day. Each message has ${subscriptions} delivery and ${readers} live events. The busiest second has ${peak} times the
average load.

${sizingTable(WORKED.map((spaces) => ({ spaces, ...USUAL })))}

Cores are planned at ${LIMITS.busy * 100} % load and relays at ${number(LIMITS.eventsPerRelay)} events per second, with at least two processes of each
kind from the second space on.`;
}
