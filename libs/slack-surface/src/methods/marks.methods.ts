import { Injectable } from '@nestjs/common';
import { findMessage } from '@tieline/conversations';
import type { Place, MessageView, PlacedMessage } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import { SlackError } from '../dispatcher/slack-error.js';
import { sideOf } from '../dispatcher/slack-method.js';
import type { MethodGroup, SlackCall } from '../dispatcher/slack-method.js';
import { conversationId, slackId } from '../ids/slack-ids.js';
import { reactionOf } from '../messages/emoji.js';
import { MessageLists } from '../messages/message-lists.js';
import { SlackPlaces } from '../messages/places.js';
import { secondsOf, sentAtOf } from '../ts/ts.js';
import { selfOf } from './conversations.methods.js';

const REACTING = {
  channel: 'text',
  timestamp: 'text',
  name: 'text',
  file: 'unused',
  file_comment: 'unused',
} as const;
const PINNING = { channel: 'text', timestamp: 'text' } as const;

/** `reactions.*` and `pins.*`. */
@Injectable()
export class MarksMethods implements MethodGroup {
  readonly methods: MethodGroup['methods'] = [
    {
      name: 'reactions.add',
      scopes: ['reactions:write'],
      arguments: REACTING,
      run: (call) => this.react(call, 'PUT'),
    },
    {
      name: 'reactions.remove',
      scopes: ['reactions:write'],
      arguments: REACTING,
      run: (call) => this.react(call, 'DELETE'),
    },
    {
      name: 'reactions.get',
      scopes: ['reactions:read'],
      arguments: { channel: 'text', timestamp: 'text', full: 'unused' },
      run: (call) => this.reactions(call),
    },
    { name: 'pins.add', scopes: ['pins:write'], arguments: PINNING, run: (call) => this.pin(call, 'PUT') },
    {
      name: 'pins.remove',
      scopes: ['pins:write'],
      arguments: PINNING,
      run: (call) => this.pin(call, 'DELETE'),
    },
    {
      name: 'pins.list',
      scopes: ['pins:read'],
      arguments: { channel: 'text' },
      run: (call) => this.pins(call),
    },
  ];

  constructor(
    private readonly db: Db,
    private readonly places: SlackPlaces,
    private readonly lists: MessageLists,
  ) {}

  private async react(call: SlackCall, change: 'PUT' | 'DELETE'): Promise<object> {
    const emoji = reactionOf(call.args.required('name', 'invalid_name'));
    if (emoji === undefined) throw new SlackError('invalid_name');
    const { message } = await this.target(call);
    const found = await findMessage(this.db, call.caller.spaceId, message.id);
    const users = found?.reactions?.find((one) => one.emoji === emoji)?.user_ids ?? [];
    const isThere = users.includes(selfOf(call.caller));
    await call.rest(
      change,
      `/api/v1/${sideOf(call.caller)}/messages/${message.id}/reactions/${encodeURIComponent(emoji)}`,
    );
    if (isThere && change === 'PUT') throw new SlackError('already_reacted');
    if (!isThere && change === 'DELETE') throw new SlackError('no_reaction');
    return {};
  }

  private async reactions(call: SlackCall): Promise<object> {
    const { conversation, message } = await this.target(call);
    const path = `/api/v1/${sideOf(call.caller)}/messages/${message.id}`;
    const found = await call.rest<{ message: MessageView }>('GET', path);
    const [shown] = await this.lists.shown(call, conversation, [found.message]);
    return { type: 'message', channel: conversationId(conversation), message: shown };
  }

  private async pin(call: SlackCall, change: 'PUT' | 'DELETE'): Promise<object> {
    const { message } = await this.target(call);
    const found = await findMessage(this.db, call.caller.spaceId, message.id);
    const isThere = found?.pin !== null && found?.pin !== undefined;
    await call.rest(change, `/api/v1/${sideOf(call.caller)}/messages/${message.id}/pin`);
    if (isThere && change === 'PUT') throw new SlackError('already_pinned');
    if (!isThere && change === 'DELETE') throw new SlackError('no_pin');
    return {};
  }

  private async pins(call: SlackCall): Promise<object> {
    const conversation = await this.places.conversation(call);
    const path = `/api/v1/${sideOf(call.caller)}/conversations/${conversation.id}/pins`;
    const { pins } = await call.rest<{ pins: MessageView[] }>('GET', path);
    const messages = await this.lists.shown(call, conversation, pins);
    return {
      items: pins.map(({ pinned_at: at, pinned_by: by }, n) => ({
        type: 'message',
        channel: conversationId(conversation),
        message: messages[n],
        ...(at !== undefined && { created: secondsOf(at) }),
        ...(by !== undefined && { created_by: slackId('user', by) }),
      })),
    };
  }

  private async target(call: SlackCall): Promise<{ conversation: Place; message: PlacedMessage }> {
    const ts = call.args.required('timestamp', 'no_item_specified');
    if (sentAtOf(ts) === undefined) throw new SlackError('bad_timestamp');
    const conversation = await this.places.conversation(call);
    return { conversation, message: await this.places.message(call, conversation, 'timestamp') };
  }
}
