import { Client } from '../../client/client.js';
import type { Answering } from '../answers/answering.js';
import { EventContext } from '../contexts/event-context.js';
import { happeningOf } from '../happening.js';
import { Handlers } from './handlers.js';
import { commandName, eventType, fits } from './patterns.js';

const client = new Client({ url: 'http://127.0.0.1:9', token: 'tlb_t' });
const context = (type: string): EventContext =>
  new EventContext(client, happeningOf(type, { action_id: 'plan-day' }, 'k'), new AbortController().signal);
const answering = {} as Answering; // events have no answers

test.each([
  ['deploy', 'deploy', true],
  ['deploy', 'deploy-all', false],
  ['plan-*', 'plan-day', true],
  ['plan-*', 'replan-day', false],
  ['*', 'anything', true],
  [/^plan-(day|time)$/, 'plan-time', true],
  [/^plan-(day|time)$/, 'plan-risk', false],
])('%s and %s: %s', (pattern, name, expected) => {
  expect(fits(pattern, name)).toBe(expected);
});

test('an expression with a memory forgets', () => {
  const pattern = /deploy/g;
  expect([fits(pattern, 'deploy'), fits(pattern, 'deploy')]).toEqual([true, true]);
});

test('events and commands go by either name', () => {
  expect(['message.created', 'MESSAGE_CREATED', '*'].map(eventType)).toEqual([
    'MESSAGE_CREATED',
    'MESSAGE_CREATED',
    '*',
  ]);
  expect(['/deploy', 'deploy'].map(commandName)).toEqual(['deploy', 'deploy']);
});

test('a second handler for exactly the same is refused: it would never be called', () => {
  const handlers = new Handlers();
  const run = (): undefined => undefined;
  handlers.add({ kind: 'click', pattern: 'go', run });
  handlers.add({ kind: 'submit', pattern: 'go', run });
  handlers.add({ kind: 'click', pattern: /go/, run });
  handlers.add({ kind: 'click', pattern: 'go', accepts: () => false, run });
  expect(() => handlers.add({ kind: 'click', pattern: 'go', run })).toThrow('a handler already: click go');
  expect(() => handlers.add({ kind: 'click', pattern: /go/, run })).toThrow('a handler already: click /go/');
});

test('the first handler that fits is taken, inside all middleware', async () => {
  const handlers = new Handlers();
  const seen: string[] = [];
  handlers.use(async (_context, next) => {
    seen.push('in');
    await next();
    seen.push('out');
  });
  handlers.use((_context, next) => (seen.push('second'), next()));
  handlers.add({ kind: 'event', pattern: 'A', accepts: () => false, run: () => seen.push('refuses') });
  handlers.add({ kind: 'event', pattern: 'A', run: () => seen.push('A') });
  handlers.add({ kind: 'event', pattern: '*', run: () => seen.push('all') });
  handlers.add({ kind: 'click', pattern: 'plan-*', run: () => seen.push('click') });
  expect(await handlers.handle(context('A'), answering)).toBe(true);
  await handlers.handle(context('B'), answering);
  await handlers.handle(context('button.click'), answering);
  expect(seen).toEqual(['A', 'all', 'click'].flatMap((name) => ['in', 'second', name, 'out']));
  expect(await handlers.handle(context('slash.command'), answering)).toBe(false);
  expect(handlers.namesOf('event')).toEqual(['A']);
});

test('middleware that does not go on ends it, and hears of failures', async () => {
  const handlers = new Handlers();
  handlers.use(async (given, next) => {
    if (given.type !== 'SECRET') await next();
  });
  handlers.add({ kind: 'event', pattern: '*', run: () => Promise.reject(new Error('reached')) });
  await handlers.handle(context('SECRET'), answering);
  await expect(handlers.handle(context('A'), answering)).rejects.toThrow('reached');
});
