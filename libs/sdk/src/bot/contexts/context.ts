import type { Client } from '../../client/client.js';
import type { Happening, Json } from '../happening.js';

/** What a handler is given: what happened, and what it can do about it. */
export class Context {
  /** A place for middleware to leave things for handlers. */
  readonly state: Record<string, unknown> = {};

  constructor(
    readonly client: Client,
    readonly happening: Happening,
    /** Given when the bot stops and can't wait any longer. */
    readonly signal: AbortSignal,
  ) {}

  /** `MESSAGE_CREATED`, `button.click`, …: docs/events.md. */
  get type(): string {
    return this.happening.type;
  }

  /**
   * All that Tieline said of it: the `data` of an event, the whole of an interaction or a command.
   */
  get payload(): Json {
    return this.happening.payload;
  }

  /** Where it happened; of a thread its own conversation. */
  get conversationId(): string {
    return this.happening.conversationId;
  }

  /** Who did it: a person, or a bot in events. */
  get userId(): string {
    return this.happening.userId;
  }

  /** The thread's root message; empty outside threads. */
  get threadId(): string {
    return this.textOf('thread_id');
  }

  /**
   * An idempotency key that is the same whenever this is handled: for requests of your own, so that
   * a repeat changes nothing.
   * @param purpose tells several of them apart: letters, digits, `_`, `.`, `-`
   */
  key(purpose: string): string {
    return `${this.happening.key}:${purpose}`;
  }

  /** A field of the payload; empty where it is absent. */
  protected textOf(name: string): string {
    const value = this.happening.payload[name];
    return typeof value === 'string' ? value : '';
  }
}
