import type { Command } from 'commander';
import { action } from '../action.js';
import type { Session } from '../profiles/session.js';
import type { Terminal } from '../terminal/terminal.js';
import { lists } from './entries.js';
import type { Channel, Space, User } from './entries.js';
import { listed, findByName } from './names.js';
import { addResource } from './resource-commands.js';

/** `space`, for the operator. */
export function addSpaces(program: Command, terminal: Terminal): void {
  const space = addResource<Space>(program, terminal, {
    noun: 'space',
    summary: "workspaces (the operator's)",
    columns: [
      { title: 'name', of: ({ name }) => name },
      { title: 'plan', of: ({ plan }) => plan },
      { title: 'active', of: ({ is_active: isActive }) => (isActive ? 'yes' : 'no') },
      { title: 'id', of: ({ id }) => id },
    ],
    all: async (session) => lists.spaces(await session.operator()),
  });
  space
    .command('create <name>')
    .summary('create one, with its owner')
    .description(
      "Makes a space. The owner's token is shown once; with --save it goes into the profile and is not shown.",
    )
    .option('--plan <plan>', 'free, pro or enterprise')
    .option('--save', 'sign in as the owner: keep the token in the profile')
    .action(action(terminal, createSpace));
}

async function createSpace(
  session: Session,
  name: string,
  { plan, save }: { plan?: string; save?: boolean },
): Promise<void> {
  const body = { name, plan };
  const created = await (
    await session.operator()
  ).call<{ space: Space; owner: { id: string }; owner_token: string }>('POST', '/api/v1/operator/spaces', {
    body,
  });
  await session.keep((profile) => {
    profile.owners = { ...profile.owners, [created.space.id]: created.owner.id };
    if (save) profile.token = created.owner_token;
  });
  session.printer.show({
    ...created.space,
    owner_id: created.owner.id,
    ...(save ? {} : { owner_token: created.owner_token }),
  });
}

/** `user`, for admins. */
export function addUsers(program: Command, terminal: Terminal): void {
  const user = addResource<User>(program, terminal, {
    noun: 'user',
    summary: 'people of the space',
    columns: [
      { title: 'name', of: (one) => one.display_name },
      { title: 'role', of: ({ role }) => role },
      { title: 'email', of: ({ email }) => email },
      { title: 'active', of: ({ is_active: isActive }) => (isActive ? 'yes' : 'no') },
      { title: 'id', of: ({ id }) => id },
    ],
    all: async (session) => lists.users(await session.person()),
  });
  user
    .command('create <name>')
    .summary('add a person')
    .option('--email <address>')
    .option('--role <role>', 'member, admin or owner')
    .option('--invite', 'return a sign-in link instead of a token')
    .action(action(terminal, createUser));
  user
    .command('invite <name>')
    .summary('create a sign-in link, valid once within seven days')
    .action(
      action(terminal, async (session, name: string) => {
        const client = await session.person();
        const { id } = findByName('user', await lists.users(client), name);
        const { url, expires_at } = await client.call<{ url: string; expires_at: string }>(
          'POST',
          `/api/v1/admin/users/${id}/invite`,
        );
        session.printer.show({ url, expires_at });
      }),
    );
}

async function createUser(
  session: Session,
  name: string,
  { email, role, invite }: { email?: string; role?: string; invite?: boolean },
): Promise<void> {
  const client = await session.person();
  const { user, token } = await client.call<{ user: User; token: string }>('POST', '/api/v1/admin/users', {
    body: { display_name: name, email, role },
  });
  const key = invite
    ? await client.call<{ url: string }>('POST', `/api/v1/admin/users/${user.id}/invite`)
    : undefined;
  session.printer.show({ ...user, ...(key ? { url: key.url } : { token }) });
}

/** `channel`: conversations that the person can see. */
export function addChannels(program: Command, terminal: Terminal): void {
  const channel = addResource<Channel>(program, terminal, {
    noun: 'channel',
    summary: 'channels, voice chats and direct chats that you see',
    columns: [
      { title: 'name', of: ({ name }) => name },
      { title: 'type', of: ({ type }) => type },
      { title: 'scope', of: ({ scope }) => scope },
      { title: 'member', of: ({ is_member: isMember }) => (isMember ? 'yes' : 'no') },
      { title: 'id', of: ({ id }) => id },
    ],
    all: async (session) => lists.channels(await session.person()),
  });
  channel
    .command('create <name>')
    .summary('make one')
    .option('--private', 'only members see it')
    .option('--member <name>', 'people and bots, several separated by commas', listed)
    .action(action(terminal, createChannel));
  channel
    .command('join <name>')
    .summary('join a public one, or bring a bot in')
    .option('--bot <name>', 'act as this bot instead of the person')
    .action(action(terminal, joinChannel));
}

async function createChannel(
  session: Session,
  name: string,
  { private: isPrivate, member = [] }: { private?: boolean; member?: string[] },
): Promise<void> {
  const client = await session.person();
  const everybody = member.length > 0 ? [...(await lists.users(client)), ...(await lists.bots(client))] : [];
  const body = {
    name,
    is_public: !isPrivate,
    member_ids: member.map((one) => findByName('member', everybody, one).id),
  };
  const { conversation } = await client.call<{ conversation: Channel }>(
    'POST',
    '/api/v1/client/conversations',
    {
      body,
    },
  );
  session.printer.show(conversation);
}

async function joinChannel(session: Session, name: string, { bot }: { bot?: string }): Promise<void> {
  const client = await session.person();
  const channel = findByName('channel', await lists.channels(client), name);
  const path = `/api/v1/client/conversations/${channel.id}`;
  if (bot === undefined) await client.call('POST', `${path}/join`);
  else {
    const { id } = findByName('bot', await lists.bots(client), bot);
    await client.call('POST', `${path}/members`, { body: { member_id: id } });
  }
  session.printer.done({ channel: channel.name, id: channel.id }, `${bot ?? 'you'} joined ${channel.name}`);
}
