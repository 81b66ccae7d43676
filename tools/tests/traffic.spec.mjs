import { messageFaults } from '../shake/account.mjs';
import { Told } from '../shake/readers.mjs';
import { Ledger } from '../shake/senders.mjs';

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
    listening: { told: new Told() },
  };
  for (const told of [readers.hook, readers.push, readers.polling.told]) told.add('1', 'e1');
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
