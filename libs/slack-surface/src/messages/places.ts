import { Injectable } from '@nestjs/common';
import {
  findConversationsByName,
  findDirectConversation,
  findMessagesAt,
  findPlaces,
  findThread,
  listConversationsOfBot,
} from '@tieline/conversations';
import type { PlacedMessage, Place } from '@tieline/conversations';
import { Db, microBatch } from '@tieline/platform/database';
import { SlackError } from '../dispatcher/slack-error.js';
import type { SlackCall } from '../dispatcher/slack-method.js';
import { CONVERSATION_KINDS, uuidOf } from '../ids/slack-ids.js';
import { sentAtOf } from '../ts/ts.js';

type Call = Pick<SlackCall, 'caller' | 'rest' | 'args'>;

/** Number of conversations that a process remembers. */
const MAX_KNOWN = 10_000;

interface WantedPlace {
  spaceId: string;
  id: string;
}

/**
 * Finds the conversations and messages that arguments name. Concurrent calls share the statement
 * that reads their conversations.
 */
@Injectable()
export class SlackPlaces {
  private readonly read = microBatch<WantedPlace, Place | undefined>((wanted) => findPlaces(this.db, wanted));
  /** By space and id. Places never change. */
  private readonly known = new Map<string, Place>();

  constructor(private readonly db: Db) {}

  /**
   * Returns the conversation that an argument names: by its id, by `#name`, or by the id of a
   * person, whose direct chat is opened. Rights are checked by what is done there.
   * @throws SlackError `channel_not_found`
   */
  async conversation(call: Call, name = 'channel'): Promise<Place> {
    const given = call.args.required(name, 'channel_not_found');
    const id =
      uuidOf(given, ...CONVERSATION_KINDS) ??
      (await this.direct(call, given)) ??
      (await this.named(call, given));
    const found = await this.find(call, id);
    if (!found || found.rootMessageId !== null) throw channelNotFound();
    return found;
  }

  /**
   * Returns the message with the `ts` of an argument.
   * @throws SlackError with `error` if the argument is absent or malformed, or there is none
   */
  async message(
    call: Call,
    { id, spaceId }: Place,
    name: string,
    error = 'message_not_found',
  ): Promise<PlacedMessage> {
    const ts = call.args.required(name);
    const found = await this.messageAt({ spaceId, conversationId: id }, ts);
    if (!found) throw new SlackError(error);
    return found;
  }

  /** Returns the root message of the thread that `thread_ts` names, if it is present. */
  async root(call: Call, conversation: Place): Promise<string | undefined> {
    if (call.args.text('thread_ts') === undefined) return undefined;
    const message = await this.message(call, conversation, 'thread_ts', 'thread_not_found');
    return message.rootMessageId ?? message.id;
  }

  /** Returns the root message of the thread that the message with a `ts` belongs to. */
  async threadRoot(
    call: Call,
    conversation: Place,
    name: string,
  ): Promise<{ id: string; threadId: string | undefined }> {
    const { id, rootMessageId, conversationId } = await this.message(
      call,
      conversation,
      name,
      'thread_not_found',
    );
    if (rootMessageId !== null) return { id: rootMessageId, threadId: conversationId };
    return {
      id,
      threadId: await findThread(this.db, { spaceId: conversation.spaceId, channelId: conversation.id }, id),
    };
  }

  /** Returns the direct chat of the caller with a person, which is opened if there is none. */
  async directWith(call: Call, userId: string): Promise<Place> {
    const id = await this.direct(call, userId);
    const found = await this.find(call, id);
    if (!found) throw new SlackError('user_not_found');
    return found;
  }

  private async find({ caller }: Call, id: string | undefined): Promise<Place | undefined> {
    if (id === undefined) return undefined;
    const { spaceId } = caller;
    const key = `${spaceId} ${id}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const found = await this.read({ spaceId, id });
    if (found !== undefined) this.remember(key, found);
    return found;
  }

  private remember(key: string, place: Place): void {
    this.known.set(key, place);
    const [oldest] = this.known.keys();
    if (this.known.size > MAX_KNOWN && oldest !== undefined) this.known.delete(oldest);
  }

  private async messageAt(
    place: { spaceId: string; conversationId: string },
    ts: string,
  ): Promise<PlacedMessage | undefined> {
    const sentAt = sentAtOf(ts);
    return sentAt === undefined ? undefined : (await findMessagesAt(this.db, place, sentAt))[0];
  }

  private async direct({ caller, rest }: Call, given: string): Promise<string | undefined> {
    const userId = uuidOf(given, 'user');
    if (userId === undefined) return undefined;
    const self = caller.kind === 'bot' ? caller.botId : caller.userId;
    const known = await findDirectConversation(this.db, caller.spaceId, self, userId);
    if (known !== undefined) return known;
    const path = caller.kind === 'bot' ? '/api/v1/bot/dm' : '/api/v1/client/dm';
    const opened = await rest<{ conversation_id: string }>('POST', path, { body: { user_id: userId } });
    return opened.conversation_id;
  }

  /** Finds a channel that the caller can see by its whole name. */
  private async named({ caller }: Call, given: string): Promise<string | undefined> {
    const name = given.replace(/^#/, '');
    if (name === '' || name.length > 200) return undefined;
    const rows =
      caller.kind === 'bot'
        ? (await listConversationsOfBot(this.db, caller, { limit: 100, cursor: '', q: name })).rows
        : await findConversationsByName(this.db, caller, { name, limit: 100 });
    const isNamed = (row: { name: string }): boolean => row.name.toLowerCase() === name.toLowerCase();
    return rows.find(isNamed)?.id;
  }
}

const channelNotFound = (): SlackError => new SlackError('channel_not_found');
