import type {
  ConversationView,
  DmAnswer,
  FileRecord,
  MemberView,
  MessageView,
  PersonView,
  SearchMessagesData,
  SearchResultView,
  SetPromptsDto,
  SetStatusDto,
} from '../api/types.gen.js';
import type { DirectMessage } from './reading/direct-message.js';
import { Transport } from './transport.js';
import { readStream } from './reading/event-stream.js';
import type { StreamEvent, StreamOptions } from './reading/event-stream.js';
import { Messages } from './messages.js';
import type { Options } from './messages.js';
import { listAll, readHistory } from './pages.js';
import type { HistoryOptions, ListOptions } from './pages.js';
import { pollEvents } from './reading/poll-events.js';
import type { EventsOptions, PolledEvent } from './reading/poll-events.js';
import { readSocket } from './reading/socket.js';
import type { Envelope, SocketOptions } from './reading/socket.js';

import { uploadFile } from './upload.js';
import type { Upload } from './upload.js';

type Items<Item> = AsyncGenerator<Item, void, undefined>;

/** Filters of a search (docs/search.md#filters). */
export interface SearchOptions extends Omit<NonNullable<SearchMessagesData['query']>, 'q' | 'cursor'> {
  readonly signal?: AbortSignal;
}

const BOT = '/api/v1/bot';

const placeOf = (conversationId: string, part: string): string =>
  `${BOT}/conversations/${encodeURIComponent(conversationId)}/${part}`;

/** Client with methods for common tasks. Use {@link Transport.call} for all other endpoints. */
export class Client extends Transport {
  /** Sends, edits and deletes messages, reacts and pins. */
  readonly messages = new Messages(this);

  /** Uploads a file in one call. Put its `file_id` into a message's `attachments`. */
  upload(file: Upload, options?: Options): Promise<FileRecord> {
    return uploadFile(this, file, options);
  }

  /** Returns the id of the direct conversation with a person. Creates it if needed. */
  async dm(userId: string, options: Options = {}): Promise<string> {
    const body = { user_id: userId };
    const answer = await this.call<DmAnswer>('POST', `${BOT}/dm`, { ...options, body, repeatable: true });
    return answer.conversation_id;
  }

  /** Joins a channel. Idempotent. */
  join(conversationId: string, options: Options = {}): Promise<void> {
    const path = `${BOT}/conversations/${encodeURIComponent(conversationId)}/join`;
    return this.call('POST', path, { ...options, repeatable: true });
  }

  /**
   * Shows what the bot is doing, until its next message there, at most two minutes
   * (docs/agents.md#status).
   */
  setStatus(conversationId: string, status: SetStatusDto, options: Options = {}): Promise<void> {
    return this.call('PUT', placeOf(conversationId, 'status'), { ...options, body: status });
  }

  /** Removes the bot's status, of a thread with the id of one of its messages. */
  clearStatus(conversationId: string, options: Options & { thread_id?: string } = {}): Promise<void> {
    const { thread_id, ...more } = options;
    return this.call('DELETE', placeOf(conversationId, 'status'), { ...more, query: { thread_id } });
  }

  /**
   * Suggests messages to people, instead of those before. An empty list removes them
   * (docs/agents.md#prompts).
   */
  setPrompts(conversationId: string, prompts: SetPromptsDto, options: Options = {}): Promise<void> {
    return this.call('PUT', placeOf(conversationId, 'prompts'), { ...options, body: prompts });
  }

  /** Sets the title of a message's thread, or removes it with null (docs/agents.md#titles). */
  titleThread(rootMessageId: string, title: string | null, options: Options = {}): Promise<void> {
    const path = `${BOT}/threads/${encodeURIComponent(rootMessageId)}`;
    return this.call('PATCH', path, { ...options, body: { title }, repeatable: true });
  }

  /** Lists the messages of a conversation, newest first by default. */
  history(conversationId: string, options?: HistoryOptions): AsyncGenerator<MessageView, void, undefined> {
    return readHistory(this, conversationId, options);
  }

  /**
   * Finds messages that the bot can read, newest first (docs/search.md). `q` may be empty if there
   * is a filter.
   */
  search(q: string, options: SearchOptions = {}): Items<SearchResultView> {
    const { signal, ...filters } = options;
    return listAll(this, `${BOT}/search/messages`, {
      query: { limit: 50, ...filters, q },
      ...(signal && { signal }),
    });
  }

  /**
   * Lists the conversations visible to the bot. `member`: only those it is a member of, or only
   * those it could join. `q`: only those whose name contains these words.
   */
  conversations(
    options: { member?: boolean; q?: string; signal?: AbortSignal } = {},
  ): Items<ConversationView> {
    const { member, q, signal } = options;
    return listAll(this, `${BOT}/conversations`, { query: { member, q }, ...(signal && { signal }) });
  }

  /** Lists the people and bots of a conversation. */
  members(conversationId: string, options?: ListOptions): Items<MemberView> {
    return listAll(this, `${BOT}/conversations/${encodeURIComponent(conversationId)}/members`, options);
  }

  /** Lists the people of the space; with `query: { q }` those whose name contains these words. */
  people(options?: ListOptions): Items<PersonView> {
    return listAll(this, `${BOT}/users`, options);
  }

  /** Lists all items of any list with cursors, such as `list('/api/v1/admin/bots')` for admins. */
  list<Item = unknown>(path: string, options?: ListOptions): Items<Item> {
    return listAll(this, path, options);
  }

  /**
   * Streams direct messages to the bot (docs/streams.md). Starts with messages received while
   * disconnected. Skips duplicates after a reconnect.
   */
  async *directMessages(options?: StreamOptions): Items<DirectMessage> {
    const seen = new Set<string>();
    for await (const { id, data } of this.stream<DirectMessage>(`${BOT}/stream`, options)) {
      if (data.event !== 'message.new' || seen.has(data.message_id)) continue;
      seen.add(data.message_id);
      if (seen.size > 1000) seen.delete(seen.values().next().value as string);
      yield { ...data, stream_id: id };
    }
  }

  /**
   * Polls the bot's event queue (docs/polling.md): `for await (const event of client.events())`.
   */
  events<Payload = unknown>(options?: EventsOptions): AsyncGenerator<PolledEvent<Payload>, void, undefined> {
    return pollEvents(this, options);
  }

  /** Receives the bot's events, clicks and commands over a socket (docs/socket.md). */
  socket<Payload = unknown>(options?: SocketOptions): AsyncGenerator<Envelope<Payload>, void, undefined> {
    return readSocket(this, options);
  }

  /**
   * Reads server-sent events (docs/streams.md): `/api/v1/bot/stream` for a bot,
   * `/api/v1/client/stream` for a person.
   */
  stream<Data = unknown>(
    path: '/api/v1/bot/stream' | '/api/v1/client/stream',
    options?: StreamOptions,
  ): AsyncGenerator<StreamEvent<Data>, void, undefined> {
    return readStream(this, path, options);
  }
}
