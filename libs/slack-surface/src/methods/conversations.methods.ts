import { Injectable } from '@nestjs/common';
import type { Place, ConversationView } from '@tieline/conversations';
import { invalidArgument, SlackError } from '../dispatcher/slack-error.js';
import { sideOf } from '../dispatcher/slack-method.js';
import type { MethodGroup, SlackCall, SlackCaller } from '../dispatcher/slack-method.js';
import { conversationId, slackId, uuidOf } from '../ids/slack-ids.js';
import { restCursor, slackCursor } from '../messages/cursors.js';
import { limitOf, LIST_ARGUMENTS, MessageLists } from '../messages/message-lists.js';
import { SlackPlaces } from '../messages/places.js';
import { channelType, slackChannel } from '../conversations/slack-channel.js';

const READ = ['channels:read', 'groups:read', 'im:read', 'mpim:read'];
const HISTORY = ['channels:history', 'groups:history', 'im:history', 'mpim:history'];
const PAGE = { limit: 'number', cursor: 'text', types: 'list', exclude_archived: 'boolean' } as const;
/** Members are counted in pages of 200. */
const MAX_COUNTED_PAGES = 25;

interface MembersPage {
  members: { id: string }[];
  next_cursor: string;
}

/** `conversations.*` for reading, joining and leaving, and `users.conversations`. */
@Injectable()
export class ConversationsMethods implements MethodGroup {
  readonly methods: MethodGroup['methods'] = [
    {
      name: 'conversations.history',
      scopes: HISTORY,
      arguments: LIST_ARGUMENTS,
      run: async (call) => this.lists.history(call, await this.places.conversation(call)),
    },
    {
      name: 'conversations.replies',
      scopes: HISTORY,
      arguments: { ...LIST_ARGUMENTS, ts: 'text' },
      errors: { message_deleted: 'thread_not_found' },
      run: (call) => this.replies(call),
    },
    {
      name: 'conversations.info',
      scopes: READ,
      arguments: { channel: 'text', include_num_members: 'boolean', include_locale: 'unused' },
      run: (call) => this.info(call),
    },
    { name: 'conversations.list', scopes: READ, arguments: PAGE, run: (call) => list(call, false) },
    {
      name: 'users.conversations',
      scopes: READ,
      arguments: { ...PAGE, user: 'text' },
      run: (call) => {
        requireSelf(call);
        return list(call, true);
      },
    },
    {
      name: 'conversations.members',
      scopes: READ,
      arguments: { channel: 'text', limit: 'number', cursor: 'text' },
      run: (call) => this.members(call),
    },
    {
      name: 'conversations.open',
      scopes: ['im:write', 'mpim:write'],
      arguments: { users: 'list', channel: 'text', return_im: 'boolean', prevent_creation: 'boolean' },
      run: (call) => this.open(call),
    },
    {
      name: 'conversations.join',
      scopes: ['channels:join'],
      arguments: { channel: 'text' },
      run: (call) => this.change(call, 'join'),
    },
    {
      name: 'conversations.leave',
      scopes: ['channels:manage', 'channels:write', 'groups:write'],
      arguments: { channel: 'text' },
      errors: { bot_not_in_conversation: 'not_in_channel', member_not_found: 'not_in_channel' },
      run: (call) => this.change(call, 'leave'),
    },
  ];

  constructor(
    private readonly places: SlackPlaces,
    private readonly lists: MessageLists,
  ) {}

  private async replies(call: SlackCall): Promise<object> {
    const conversation = await this.places.conversation(call);
    const root = await this.places.threadRoot(call, conversation, 'ts');
    return this.lists.replies(call, conversation, root);
  }

  private async info(call: SlackCall): Promise<object> {
    const { id } = await this.places.conversation(call);
    const channel = await viewOf(call, id);
    const counted = call.args.flag('include_num_members')
      ? { num_members: await countMembers(call, id) }
      : {};
    return { channel: { ...slackChannel(channel, selfOf(call.caller)), ...counted } };
  }

  private async members(call: SlackCall): Promise<object> {
    const { id } = await this.places.conversation(call);
    const page = await membersOf(call, id, restCursor(call.args.text('cursor')), limitOf(call));
    return {
      members: page.members.map((member) => slackId('user', member.id)),
      response_metadata: { next_cursor: slackCursor(page.next_cursor) },
    };
  }

  private async open(call: SlackCall): Promise<object> {
    const { args } = call;
    const users = args.list('users');
    if (users.length > 1) throw new SlackError('method_not_supported_for_channel_type');
    const [user] = users;
    if (user === undefined && args.text('channel') === undefined)
      throw new SlackError('users_list_not_supplied');
    if (user !== undefined && uuidOf(user, 'user') === undefined) throw new SlackError('user_not_found');
    const conversation: Place =
      user === undefined ? await this.places.conversation(call) : await this.places.directWith(call, user);
    if (conversation.scope !== 'dm') throw new SlackError('channel_not_found');
    const id = conversationId(conversation);
    return {
      channel: args.flag('return_im')
        ? slackChannel(await viewOf(call, conversation.id), selfOf(call.caller))
        : { id },
    };
  }

  private async change(call: SlackCall, change: 'join' | 'leave'): Promise<object> {
    const { id } = await this.places.conversation(call);
    await call.rest('POST', `/api/v1/${sideOf(call.caller)}/conversations/${id}/${change}`);
    if (change === 'leave') return {};
    return { channel: slackChannel(await viewOf(call, id), selfOf(call.caller)) };
  }
}

async function list(call: SlackCall, isMember: boolean): Promise<object> {
  const { args, caller, rest } = call;
  const types = args.list('types');
  const wanted = new Set(types.length > 0 ? types : ['public_channel']);
  for (const type of wanted)
    if (!['public_channel', 'private_channel', 'im', 'mpim'].includes(type))
      throw new SlackError('invalid_types');
  const page = await rest<{ conversations: ConversationView[]; next_cursor: string }>(
    'GET',
    `/api/v1/${sideOf(caller)}/conversations`,
    {
      query: {
        limit: String(limitOf(call)),
        cursor: restCursor(args.text('cursor')),
        ...(isMember && caller.kind === 'bot' && { member: 'true' }),
      },
    },
  );
  return {
    channels: page.conversations
      .filter((view) => wanted.has(channelType(view)))
      .filter((view) => !isMember || view.is_member)
      .filter((view) => !args.flag('exclude_archived') || view.archived_at === null)
      .map((view) => slackChannel(view, selfOf(caller))),
    response_metadata: { next_cursor: slackCursor(page.next_cursor) },
  };
}

async function viewOf({ caller, rest }: SlackCall, id: string): Promise<ConversationView> {
  const path = `/api/v1/${sideOf(caller)}/conversations/${id}`;
  return (await rest<{ conversation: ConversationView }>('GET', path)).conversation;
}

function membersOf(
  { caller, rest }: SlackCall,
  id: string,
  cursor: string,
  limit: number,
): Promise<MembersPage> {
  const path = `/api/v1/${sideOf(caller)}/conversations/${id}/members`;
  return rest<MembersPage>('GET', path, { query: { cursor, limit: String(limit) } });
}

async function countMembers(call: SlackCall, id: string): Promise<number> {
  let count = 0;
  let cursor = '';
  for (let pages = 0; pages < MAX_COUNTED_PAGES; pages += 1) {
    const page = await membersOf(call, id, cursor, 200);
    count += page.members.length;
    cursor = page.next_cursor;
    if (cursor === '') break;
  }
  return count;
}

/** Only the conversations of the caller can be listed. */
function requireSelf({ args, caller }: SlackCall): void {
  const user = args.text('user');
  if (user !== undefined && uuidOf(user, 'user') !== selfOf(caller))
    throw invalidArgument('user must be the caller');
}

export const selfOf = (caller: SlackCaller): string => (caller.kind === 'bot' ? caller.botId : caller.userId);
