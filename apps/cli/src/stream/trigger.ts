import type { BOT_EVENT_TYPES } from '@tieline/sdk/api';
import type { Person } from '@tieline/sdk/testing';
import type { Command } from 'commander';
import { action } from '../action.js';
import { EXIT } from '../output/exit-codes.js';
import { Failure } from '../output/failures.js';
import type { Session } from '../profiles/session.js';
import type { Terminal } from '../terminal/terminal.js';

interface Circumstances {
  readonly channel: string;
  readonly text: string;
  readonly action?: string;
}

/**
 * Causes one event.
 *
 * @returns a description of what was done
 */
type EventAction = (person: Person, circumstances: Circumstances) => Promise<string>;

const post: EventAction = async (person, { channel, text }) =>
  `said ${(await person.send(channel, text)).id}`;

type Triggered = (typeof BOT_EVENT_TYPES)[number] | 'button.click' | 'slash.command';

/** The compiler refuses a list without a type that bots can select. */
const ACTIONS: Readonly<Record<Triggered, EventAction>> = {
  MESSAGE_CREATED: post,
  MESSAGE_UPDATED: (person, { channel, text }) =>
    withMessage(person, channel, text, {
      method: 'PATCH',
      body: { text: `${text} (edited)` },
      done: 'edited it',
    }),
  MESSAGE_DELETED: (person, { channel, text }) =>
    withMessage(person, channel, text, { method: 'DELETE', done: 'deleted it' }),
  REACTION_ADDED: (person, { channel, text }) =>
    withMessage(person, channel, text, {
      ...{ method: 'PUT', path: `/reactions/${encodeURIComponent('👍')}`, done: 'reacted to it' },
    }),
  REACTION_REMOVED: async (person, { channel, text }) => {
    const path = `/reactions/${encodeURIComponent('👍')}`;
    const { id } = await person.send(channel, text);
    for (const method of ['PUT', 'DELETE'])
      await person.client.call(method, `/api/v1/client/messages/${id}${path}`);
    return `reacted to ${id} and took it back`;
  },
  CONVERSATION_CREATED: async (person) => `made the channel ${(await newChannel(person)).name}`,
  CONVERSATION_UPDATED: async (person) => {
    const { id, name } = await newChannel(person);
    await person.client.call('PATCH', `/api/v1/client/conversations/${id}`, { body: { topic: 'A topic' } });
    return `made the channel ${name} and set its topic`;
  },
  CONVERSATION_ARCHIVED: async (person) => {
    const { id, name } = await newChannel(person);
    await person.client.call('POST', `/api/v1/client/conversations/${id}/archive`);
    return `made and archived the channel ${name}`;
  },
  MEMBER_JOINED: async (person) => {
    const { id, name } = await newChannel(person);
    for (const verb of ['leave', 'join'])
      await person.client.call('POST', `/api/v1/client/conversations/${id}/${verb}`);
    return `left the new channel ${name} and joined it again`;
  },
  MEMBER_LEFT: async (person) => {
    const { id, name } = await newChannel(person);
    await person.client.call('POST', `/api/v1/client/conversations/${id}/leave`);
    return `left the new channel ${name}`;
  },
  DM_OPENED: openDm,
  ASSISTANT_THREAD_STARTED: openDm,
  USER_CREATED: changePerson,
  USER_UPDATED: changePerson,
  'button.click': async (person, { channel, action: id }) => {
    if (!id) throw new Failure('which button?', EXIT.usage, 'say it with --action <action_id>');
    return `clicked: ${(await person.click(id, { in: channel })).result}`;
  },
  'slash.command': async (person, { channel, text }) => {
    if (!text.startsWith('/'))
      throw new Failure('which command?', EXIT.usage, 'say it with --text "/name …"');
    return `answered: ${(await person.say(channel, text)).result}`;
  },
};

/** `trigger <event>`: performs the action behind an event as the signed-in person. */
export function addTrigger(program: Command, terminal: Terminal): void {
  program
    .command('trigger [event]')
    .summary('cause an event')
    .description(
      `Does what the event tells of, as the person who is signed in, so that it comes to whoever asked for it.\nEvents: ${Object.keys(ACTIONS).join(', ')}`,
    )
    .option('--channel <name>', 'where', 'general')
    .option('--text <text>', 'of the message or command', 'Triggered by tieline')
    .option('--action <action_id>', 'of the button')
    .option('--list', 'the events that can be triggered')
    .action(action(terminal, trigger));
}

async function trigger(
  session: Session,
  event: string | undefined,
  options: Circumstances & { list?: boolean },
): Promise<void> {
  if (options.list || event === undefined)
    return session.printer.list(
      Object.keys(ACTIONS).map((name) => ({ event: name })),
      [{ title: 'event', of: (one) => one.event }],
    );
  const actions: Readonly<Record<string, EventAction>> = ACTIONS;
  const action = actions[event] ?? actions[event.toUpperCase().replaceAll('.', '_')];
  if (!action)
    throw new Failure(
      `"${event}" can't be triggered`,
      EXIT.notFound,
      `there are: ${Object.keys(ACTIONS).join(', ')}`,
    );
  const person = await session.signedInPerson();
  try {
    const done = await action(person, options);
    session.printer.done({ event, done }, done);
  } finally {
    await person.leave();
  }
}

async function withMessage(
  person: Person,
  channel: string,
  text: string,
  { method, path = '', body, done }: { method: string; path?: string; body?: object; done: string },
): Promise<string> {
  const { id } = await person.send(channel, text);
  await person.client.call(method, `/api/v1/client/messages/${id}${path}`, { body });
  return `said ${id}, then ${done}`;
}

async function anyBot(person: Person): Promise<{ id: string; display_name: string }> {
  const members = person.client.list<{ id: string; type: string; display_name: string }>(
    '/api/v1/client/members',
  );
  for await (const member of members) if (member.type === 'bot') return member;
  throw new Failure('there is no bot', EXIT.notFound, 'create one: tieline bot create');
}

async function openDm(person: Person): Promise<string> {
  const bot = await anyBot(person);
  await person.open(await person.dm(bot.id));
  return `opened the direct chat with ${bot.display_name}`;
}

/** Needs the rights of an admin. */
async function changePerson(person: Person): Promise<string> {
  const name = `Triggered ${Date.now().toString(36)}`;
  const path = '/api/v1/admin/users';
  const { user } = await person.client.call<{ user: { id: string } }>('POST', path, {
    body: { display_name: name },
  });
  await person.client.call('PATCH', `${path}/${user.id}`, { body: { is_active: false } });
  return `added ${name} and deactivated them`;
}

async function newChannel(person: Person): Promise<{ id: string; name: string }> {
  const body = { name: `triggered-${Date.now().toString(36)}`, is_public: true };
  const { conversation } = await person.client.call<{ conversation: { id: string; name: string } }>(
    'POST',
    '/api/v1/client/conversations',
    { body },
  );
  return conversation;
}
