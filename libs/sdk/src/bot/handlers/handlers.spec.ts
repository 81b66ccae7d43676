import { startReceiver } from '@tieline/testing';
import { Client } from '../../client/client.js';
import type { Responder } from '../answers/responder.js';
import { ClickContext } from '../contexts/answer-context.js';
import { EventContext } from '../contexts/event-context.js';
import { toActivity } from '../activity.js';
import { Handlers } from './handlers.js';
import { commandName, eventType, matchesPattern } from './patterns.js';

const client = new Client({ url: 'http://127.0.0.1:9', token: 'tlb_t' });
const context = (type: string): EventContext =>
  new EventContext(client, toActivity(type, { action_id: 'plan-day' }, 'k'), new AbortController().signal);
const responder = {} as Responder; // events have no answers

test.each([
  ['deploy', 'deploy', true],
  ['deploy', 'deploy-all', false],
  ['plan-*', 'plan-day', true],
  ['plan-*', 'replan-day', false],
  ['*', 'anything', true],
  [/^plan-(day|time)$/, 'plan-time', true],
  [/^plan-(day|time)$/, 'plan-risk', false],
])('%s and %s: %s', (pattern, name, expected) => {
  expect(matchesPattern(pattern, name)).toBe(expected);
});

test('a regular expression with state is reset', () => {
  const pattern = /deploy/g;
  expect([matchesPattern(pattern, 'deploy'), matchesPattern(pattern, 'deploy')]).toEqual([true, true]);
});

test('events and commands are found by either spelling', () => {
  expect(['message.created', 'MESSAGE_CREATED', '*'].map(eventType)).toEqual([
    'MESSAGE_CREATED',
    'MESSAGE_CREATED',
    '*',
  ]);
  expect(['/deploy', 'deploy'].map(commandName)).toEqual(['deploy', 'deploy']);
});

test('a context of feedback buttons has the choice, one of another button none', () => {
  const click = (payload: object) =>
    new ClickContext(
      client,
      toActivity('button.click', { action_id: 'good', ...payload }, 'k'),
      new AbortController().signal,
      responder,
    );
  expect(click({ feedback: 'none' }).feedback).toBe('none');
  expect(click({}).feedback).toBe('');
});

test('the context of an opened chat suggests messages and shows a status there', async () => {
  const server = await startReceiver({ body: { ok: true } });
  const opened = toActivity('DM_OPENED', { conversation_id: 'c', user_id: 'u' }, 'k');
  const there = new Client({ url: server.url, token: 'tlb_t' });
  const context = new EventContext(there, opened, new AbortController().signal);
  expect([context.type, context.userId]).toEqual(['DM_OPENED', 'u']);
  await context.prompts([{ title: 'Status', message: 'What is new?' }], 'Ask');
  await context.status('is reading', ['a']);
  expect(server.requests.map(({ url, body }) => [url, JSON.parse(body.toString())])).toEqual([
    [
      '/api/v1/bot/conversations/c/prompts',
      { title: 'Ask', prompts: [{ title: 'Status', message: 'What is new?' }] },
    ],
    ['/api/v1/bot/conversations/c/status', { text: 'is reading', loading_messages: ['a'] }],
  ]);
  await server.close();
});

test('direct events keep their names, so that they are not taken for their namesakes', async () => {
  const NAMES = [
    ...['approval.decided', 'APPROVAL_DECIDED', 'agent_run.stop_requested'],
    ...['shortcut.used', 'home.action'],
  ];
  const handled: string[] = [];
  const handlers = new Handlers();
  for (const name of NAMES)
    handlers.add({ kind: 'event', pattern: eventType(name), run: () => handled.push(name) });
  for (const type of NAMES) await handlers.handle(context(type), responder);
  expect(handled).toEqual(NAMES);
});

test('a second handler for the same pattern is rejected', () => {
  const handlers = new Handlers();
  const run = (): undefined => undefined;
  handlers.add({ kind: 'click', pattern: 'go', run });
  handlers.add({ kind: 'submit', pattern: 'go', run });
  handlers.add({ kind: 'click', pattern: /go/, run });
  handlers.add({ kind: 'click', pattern: 'go', accepts: () => false, run });
  expect(() => handlers.add({ kind: 'click', pattern: 'go', run })).toThrow('already a handler for click go');
  expect(() => handlers.add({ kind: 'click', pattern: /go/, run })).toThrow(
    'already a handler for click /go/',
  );
});

test('the first matching handler runs inside all middleware', async () => {
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
  expect(await handlers.handle(context('A'), responder)).toBe(true);
  await handlers.handle(context('B'), responder);
  await handlers.handle(context('button.click'), responder);
  expect(seen).toEqual(['A', 'all', 'click'].flatMap((name) => ['in', 'second', name, 'out']));
  expect(await handlers.handle(context('slash.command'), responder)).toBe(false);
  expect(handlers.namesOf('event')).toEqual(['A']);
});

test('middleware can stop an activity and sees failures', async () => {
  const handlers = new Handlers();
  handlers.use(async (given, next) => {
    if (given.type !== 'SECRET') await next();
  });
  handlers.add({ kind: 'event', pattern: '*', run: () => Promise.reject(new Error('reached')) });
  await handlers.handle(context('SECRET'), responder);
  await expect(handlers.handle(context('A'), responder)).rejects.toThrow('reached');
});
