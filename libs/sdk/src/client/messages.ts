import type {
  EditBotMessageDto,
  EditedMessageAnswer,
  EphemeralMessageDto,
  MessageView,
  SendBotMessageDto,
  SentMessageAnswer,
} from '../api/types.gen.js';
import type { CallOptions, Transport } from './transport.js';

/** Options of all methods of the client. */
export type Options = Pick<CallOptions, 'signal' | 'timeoutMs'>;

/** Metadata as objects instead of a JSON text: `blocks`, or all of `metadata`. */
export interface Metadata {
  readonly blocks?: readonly object[];
  readonly metadata?: object;
}

type Sent = Omit<SendBotMessageDto, 'thread_id'> & Metadata;

const BASE = '/api/v1/bot/messages';

/** Messages of a bot (docs/bots.md). */
export class Messages {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Sends a message. Retries do not send it twice.
   * @param options.idempotencyKey a repeat with the same key within 24 hours gets the first
   * response
   */
  send(message: Sent, options: Options & { idempotencyKey?: string } = {}): Promise<SentMessageAnswer> {
    return this.#transport.call('POST', BASE, { ...options, body: encoded(message) });
  }

  /** Answers a slash command by its trigger id. Posts the message where the command was given. */
  answerTrigger(
    triggerId: string,
    message: Pick<Sent, 'content' | 'metadata_json' | 'blocks' | 'metadata'>,
    options: Options = {},
  ): Promise<SentMessageAnswer> {
    const headers = { 'x-service-trigger-id': triggerId };
    return this.#transport.call('POST', BASE, { ...options, headers, body: encoded(message) });
  }

  /**
   * Replaces text and metadata of one of the bot's messages. Without metadata, its metadata is
   * cleared.
   */
  edit(
    messageId: string,
    message: EditBotMessageDto & Metadata,
    options: Options = {},
  ): Promise<EditedMessageAnswer> {
    return this.#transport.call('PATCH', pathOf(messageId), { ...options, body: encoded(message) });
  }

  /** Shows a message only to one person, if they have a stream open. It is not stored. */
  async ephemeral(message: EphemeralMessageDto & Metadata, options: Options = {}): Promise<void> {
    await this.#transport.call('POST', `${BASE}/ephemeral`, { ...options, body: encoded(message) });
  }

  async get(messageId: string, options: Options = {}): Promise<MessageView> {
    const answer = await this.#transport.call<{ message: MessageView }>('GET', pathOf(messageId), options);
    return answer.message;
  }

  /** Deletes one of the bot's messages. */
  delete(messageId: string, options: Options = {}): Promise<void> {
    return this.#transport.call('DELETE', pathOf(messageId), options);
  }

  /** Adds a reaction. Idempotent. `emoji` is the character itself. */
  react(messageId: string, emoji: string, options: Options = {}): Promise<void> {
    return this.#transport.call('PUT', pathOf(messageId, 'reactions', emoji), options);
  }

  unreact(messageId: string, emoji: string, options: Options = {}): Promise<void> {
    return this.#transport.call('DELETE', pathOf(messageId, 'reactions', emoji), options);
  }

  pin(messageId: string, options: Options = {}): Promise<void> {
    return this.#transport.call('PUT', pathOf(messageId, 'pin'), options);
  }

  unpin(messageId: string, options: Options = {}): Promise<void> {
    return this.#transport.call('DELETE', pathOf(messageId, 'pin'), options);
  }
}

function pathOf(...parts: string[]): string {
  return [BASE, ...parts.map(encodeURIComponent)].join('/');
}

/** Encodes blocks and metadata into `metadata_json`. A given `metadata_json` stays unchanged. */
function encoded<Body extends Metadata & { metadata_json?: string | null }>({
  blocks,
  metadata,
  ...body
}: Body): object {
  if (blocks === undefined && metadata === undefined) return body;
  return { ...body, metadata_json: JSON.stringify({ version: 1, ...metadata, ...(blocks && { blocks }) }) };
}
