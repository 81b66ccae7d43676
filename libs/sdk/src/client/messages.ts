import type {
  EditBotMessageDto,
  EditedMessageAnswer,
  EphemeralMessageDto,
  MessageView,
  SendBotMessageDto,
  SentMessageAnswer,
} from '../api/types.gen.js';
import type { CallOptions, Door } from './door.js';

/** What all calls of the conveniences take. */
export type Options = Pick<CallOptions, 'signal' | 'timeoutMs'>;

/** Metadata as objects instead of the text that travels: `blocks` alone, or all of `metadata`. */
export interface Metadata {
  readonly blocks?: readonly object[];
  readonly metadata?: object;
}

type Sent = Omit<SendBotMessageDto, 'thread_id'> & Metadata;

const BASE = '/api/v1/bot/messages';

/** A bot's messages (docs/bots.md). */
export class Messages {
  readonly #door: Door;

  constructor(door: Door) {
    this.#door = door;
  }

  /**
   * Sends a message, once however often it is tried.
   * @param options.idempotencyKey a repeat with the same key, within 24 hours and from wherever,
   * gets the first answer
   */
  send(message: Sent, options: Options & { idempotencyKey?: string } = {}): Promise<SentMessageAnswer> {
    return this.#door.call('POST', BASE, { ...options, body: encoded(message) });
  }

  /** Answers a slash command by its trigger: the message goes where the command was given. */
  answerTrigger(
    triggerId: string,
    message: Pick<Sent, 'content' | 'metadata_json' | 'blocks' | 'metadata'>,
    options: Options = {},
  ): Promise<SentMessageAnswer> {
    const headers = { 'x-service-trigger-id': triggerId };
    return this.#door.call('POST', BASE, { ...options, headers, body: encoded(message) });
  }

  /**
   * Replaces text and metadata of a message of one's own; without metadata what it had is cleared.
   */
  edit(
    messageId: string,
    message: EditBotMessageDto & Metadata,
    options: Options = {},
  ): Promise<EditedMessageAnswer> {
    return this.#door.call('PATCH', pathOf(messageId), { ...options, body: encoded(message) });
  }

  /** Shows a message to one person alone, if they have a stream open; nothing is kept of it. */
  async ephemeral(message: EphemeralMessageDto & Metadata, options: Options = {}): Promise<void> {
    await this.#door.call('POST', `${BASE}/ephemeral`, { ...options, body: encoded(message) });
  }

  async get(messageId: string, options: Options = {}): Promise<MessageView> {
    const answer = await this.#door.call<{ message: MessageView }>('GET', pathOf(messageId), options);
    return answer.message;
  }

  /** Deletes a message of one's own. */
  delete(messageId: string, options: Options = {}): Promise<void> {
    return this.#door.call('DELETE', pathOf(messageId), options);
  }

  /** Adds a reaction; repeating it is fine. `emoji` is the character itself. */
  react(messageId: string, emoji: string, options: Options = {}): Promise<void> {
    return this.#door.call('PUT', pathOf(messageId, 'reactions', emoji), options);
  }

  unreact(messageId: string, emoji: string, options: Options = {}): Promise<void> {
    return this.#door.call('DELETE', pathOf(messageId, 'reactions', emoji), options);
  }

  pin(messageId: string, options: Options = {}): Promise<void> {
    return this.#door.call('PUT', pathOf(messageId, 'pin'), options);
  }

  unpin(messageId: string, options: Options = {}): Promise<void> {
    return this.#door.call('DELETE', pathOf(messageId, 'pin'), options);
  }
}

function pathOf(...parts: string[]): string {
  return [BASE, ...parts.map(encodeURIComponent)].join('/');
}

/** Metadata travels as a text: `metadata_json`. What is given so stays as it is. */
export function encoded<Body extends Metadata & { metadata_json?: string | null }>({
  blocks,
  metadata,
  ...body
}: Body): object {
  if (blocks === undefined && metadata === undefined) return body;
  return { ...body, metadata_json: JSON.stringify({ version: 1, ...metadata, ...(blocks && { blocks }) }) };
}
