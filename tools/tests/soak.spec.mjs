import { disorder, messageFaults, wrongEnds } from '../qa/soak/account.mjs';
import { Told } from '../qa/soak/told.mjs';
import { Ledger } from '../qa/soak/senders.mjs';

const world = { channels: ['c'], dm: 'd' };
const ROWS = [
  { id: '1', text: 'one', conversation_id: 'c' },
  { id: '2', text: 'two', conversation_id: 'd' },
];

let ledger;
let readers;
beforeEach(() => {
  ledger = new Ledger();
  ledger.note('people', 'one', { status: 200, body: { message_id: '1' } });
  ledger.note('direct messages', 'two', { status: 200, body: { message_id: '2' } });
  readers = {
    hook: new Told(),
    push: new Told(),
    polling: { told: new Told() },
    socket: { told: new Told() },
    recovered: new Told(),
    listening: { told: new Told() },
  };
  for (const told of [readers.hook, readers.push, readers.polling.told, readers.socket.told])
    told.add('1', 'e1');
  readers.listening.told.add('2', '2');
});

const faults = (rows = ROWS) => messageFaults(rows, world, ledger, readers);

test('what was stored once and told to everybody, even twice, is no fault', () => {
  readers.hook.add('1', 'e1');
  expect(faults()).toEqual([]);
});

test('an accepted message that is not stored', () => {
  expect(faults(ROWS.slice(1))).toEqual(['1 accepted messages are not stored: one']);
});

test('a message that is stored twice, also when its sender was not answered', () => {
  ledger.note('people', 'lost', { status: 0, body: {} });
  const again = ['3', '4'].map((id) => ({ id, text: 'lost', conversation_id: 'elsewhere' }));
  expect(faults([...ROWS, ...again])).toEqual(['1 messages are stored twice: lost']);
});

test('a message that was not answered may be stored, and is told then, or not', () => {
  ledger.note('people', 'lost', { status: 503, body: {} });
  expect(faults()).toEqual([]);
  const stored = { id: '3', text: 'lost', conversation_id: 'd' };
  expect(faults([...ROWS, stored])).toEqual(['1 messages never reached the DM stream: lost']);
});

test('a message that was told as two events', () => {
  readers.push.add('1', 'e2');
  expect(faults()).toEqual(['1 messages came to the push bot as several events: 1']);
});

test('a refusal that nobody expects is kept with its answer, one for the rate is not', () => {
  ledger.note('people', 'three', { status: 429, body: {} });
  ledger.note('people', 'four', { status: 403, body: { error: 'no' } });
  expect(ledger.faults).toEqual(['people: 403 {"error":"no"}']);
});

const INDEXED = [1, 2, 3].map((n) => ({ id: `m${n}`, n }));

test('an ordered subscription may hear a message twice, but none after a newer one', () => {
  expect(disorder(INDEXED, ['m1', 'm1', 'm2', 'm3'])).toEqual([]);
  expect(disorder(INDEXED, ['m1', 'm3', 'm2'])).toEqual(['1 messages came out of order: 2 after 3']);
  expect(disorder(INDEXED, ['m1', 'm2'])).toEqual(['1 messages never reached the ordered subscription: 3']);
});

test('what was given up belongs to receivers that are unwell, and stays so', () => {
  const targets = { unwell: ['u'], refusing: 'r' };
  const seen = {
    arrivals: new Map([
      ['d1', 900],
      ['d2', 1200],
    ]),
    trapped: 0,
  };
  const dead = [
    ['d1', 'u'],
    ['d2', 'r'],
    ['d3', 'u'],
  ].map(([id, target_id]) => ({ id, target_id, ended: '1000' }));
  expect(wrongEnds(dead.slice(0, 1), targets, seen)).toEqual([]);
  expect(wrongEnds(dead, targets, seen)).toEqual(['1 deliveries were sent after they had been given up: d2']);
  expect(wrongEnds([{ ...dead[0], target_id: 'fine' }], targets, { ...seen, trapped: 2 })).toEqual([
    '1 deliveries to receivers that work were given up: d1',
    '2 redirects were followed',
  ]);
});
