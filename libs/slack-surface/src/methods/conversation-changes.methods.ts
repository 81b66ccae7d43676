import { Injectable } from '@nestjs/common';
import { chatAccess, conversationView, findConversation } from '@tieline/conversations';
import type { ConversationView } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import { slackChannel } from '../conversations/slack-channel.js';
import { invalidArgument, SlackError } from '../dispatcher/slack-error.js';
import type { MethodGroup, SlackCall } from '../dispatcher/slack-method.js';
import { CONVERSATION_KINDS, uuidOf } from '../ids/slack-ids.js';

/** Most people that one call invites, as in Slack. */
const MAX_INVITED = 1000;
const SCOPES = ['channels:manage', 'groups:write', 'channels:write', 'im:write', 'mpim:write'];
const CHANNEL = { channel: 'text' } as const;
/** Codes of refused names and texts, in Slack's words. */
const NAMES = { invalid_field: 'invalid_name', not_allowed: 'not_authorized' };
const TEXTS = { invalid_field: 'too_long' };

/** `conversations.*` that change a conversation. */
@Injectable()
export class ConversationChangeMethods implements MethodGroup {
  readonly methods: MethodGroup['methods'] = [
    {
      name: 'conversations.create',
      scopes: SCOPES,
      arguments: { name: 'text', is_private: 'boolean' },
      errors: NAMES,
      run: create,
    },
    {
      name: 'conversations.rename',
      scopes: SCOPES,
      arguments: { ...CHANNEL, name: 'text' },
      errors: NAMES,
      run: (call: SlackCall) => update(call, { name: nameIn(call) }),
    },
    {
      name: 'conversations.setTopic',
      scopes: SCOPES,
      arguments: { ...CHANNEL, topic: 'text' },
      errors: TEXTS,
      run: (call: SlackCall) => describe(call, 'topic'),
    },
    {
      name: 'conversations.setPurpose',
      scopes: SCOPES,
      arguments: { ...CHANNEL, purpose: 'text' },
      errors: TEXTS,
      run: (call: SlackCall) => describe(call, 'purpose'),
    },
    {
      name: 'conversations.archive',
      scopes: SCOPES,
      arguments: CHANNEL,
      run: (call: SlackCall) => done(call, 'archive'),
    },
    {
      name: 'conversations.unarchive',
      scopes: SCOPES,
      arguments: CHANNEL,
      run: (call: SlackCall) => done(call, 'unarchive'),
    },
    {
      name: 'conversations.invite',
      scopes: SCOPES,
      arguments: { ...CHANNEL, users: 'list', force: 'unused' },
      run: (call: SlackCall) => this.invite(call),
    },
    {
      name: 'conversations.kick',
      scopes: SCOPES,
      arguments: { ...CHANNEL, user: 'text' },
      errors: { member_not_found: 'not_in_channel', not_a_member: 'not_in_channel' },
      run: kick,
    },
    {
      name: 'conversations.mark',
      scopes: SCOPES,
      arguments: { ...CHANNEL, ts: 'unused' },
      run: (call: SlackCall) => this.ignore(call),
    },
    {
      name: 'conversations.close',
      scopes: ['im:write', 'mpim:write', 'channels:manage', 'groups:write'],
      arguments: CHANNEL,
      run: (call: SlackCall) => this.close(call),
    },
  ];

  constructor(private readonly db: Db) {}

  /** Invites people one after the other, and stops at the first who cannot be invited. */
  private async invite(call: SlackCall): Promise<object> {
    const { args, caller, rest } = call;
    const id = channelIn(call);
    const users = args.list('users');
    if (users.length === 0) throw new SlackError('no_user');
    if (users.length > MAX_INVITED) throw invalidArgument(`at most ${MAX_INVITED} users`);
    const members = users.map(userOf);
    if (members.includes(selfOf(call))) throw new SlackError('cant_invite_self');
    for (const member of members)
      await rest('POST', `${pathOf(call)}/${id}/members`, { body: { member_id: member } });
    const conversation = await findConversation(this.db, caller.spaceId, id);
    if (!conversation) throw new SlackError('channel_not_found');
    return { channel: slackChannel(conversationView(conversation, { isMember: true, muted: false })) };
  }

  /** Checks that the caller can read the conversation. Which messages were read is not stored. */
  private async ignore(call: SlackCall): Promise<object> {
    await chatAccess.requireReadable(this.db, call.caller, channelIn(call));
    return {};
  }

  private async close(call: SlackCall): Promise<object> {
    const { conversation } = await chatAccess.requireReadable(this.db, call.caller, channelIn(call));
    if (conversation.scope !== 'dm') throw new SlackError('method_not_supported_for_channel_type');
    return { no_op: true };
  }
}

interface ConversationAnswer {
  conversation: ConversationView;
}

async function create(call: SlackCall): Promise<object> {
  const body = { name: nameIn(call), is_public: !call.args.flag('is_private') };
  const { conversation } = await call.rest<ConversationAnswer>('POST', pathOf(call), { body });
  return { channel: slackChannel(conversation) };
}

async function update(call: SlackCall, body: Record<string, string>): Promise<{ channel: object }> {
  const path = `${pathOf(call)}/${channelIn(call)}`;
  const { conversation } = await call.rest<ConversationAnswer>('PATCH', path, { body });
  return { channel: slackChannel(conversation) };
}

async function describe(call: SlackCall, name: 'topic' | 'purpose'): Promise<object> {
  const text = call.args.textOrEmpty(name);
  if (text === undefined) throw invalidArgument(`missing required field: ${name}`);
  return { ...(await update(call, { [name]: text })), [name]: text.trim() };
}

async function done(call: SlackCall, verb: 'archive' | 'unarchive'): Promise<object> {
  await call.rest('POST', `${pathOf(call)}/${channelIn(call)}/${verb}`);
  return {};
}

async function kick(call: SlackCall): Promise<object> {
  const member = userOf(call.args.required('user', 'user_not_found'));
  if (member === selfOf(call)) throw new SlackError('cant_kick_self');
  await call.rest('DELETE', `${pathOf(call)}/${channelIn(call)}/members/${member}`);
  return {};
}

const selfOf = ({ caller }: SlackCall): string => (caller.kind === 'bot' ? caller.botId : caller.userId);

/** Bots and people have the same endpoints below different addresses. */
const pathOf = ({ caller }: SlackCall): string =>
  caller.kind === 'bot' ? '/api/v1/bot/conversations' : '/api/v1/client/conversations';

function channelIn({ args }: SlackCall): string {
  const id = uuidOf(args.required('channel', 'channel_not_found'), ...CONVERSATION_KINDS);
  if (id === undefined) throw new SlackError('channel_not_found');
  return id;
}

const nameIn = ({ args }: SlackCall): string =>
  args.required('name', 'invalid_name_required').replace(/^#/, '');

function userOf(given: string): string {
  const id = uuidOf(given, 'user');
  if (id === undefined) throw new SlackError('user_not_found');
  return id;
}
