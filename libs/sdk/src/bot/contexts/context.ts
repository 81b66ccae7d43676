import type { Client } from '../../client/client.js';
import type { Activity, Json } from '../activity.js';

/** Argument of a handler: the activity, and methods to react to it. */
export class Context {
  /** Data that middleware passes to handlers. */
  readonly state: Record<string, unknown> = {};

  constructor(
    readonly client: Client,
    readonly happening: Activity,
    /** Aborted when the bot stops and waits no longer. */
    readonly signal: AbortSignal,
  ) {}

  /** `MESSAGE_CREATED`, `button.click`, …: docs/events.md. */
  get type(): string {
    return this.happening.type;
  }

  /** The `data` of an event, or the whole interaction or command. */
  get payload(): Json {
    return this.happening.payload;
  }

  /** The conversation. For a thread, the conversation of the thread itself. */
  get conversationId(): string {
    return this.happening.conversationId;
  }

  /** The person who acted, or a bot in events. */
  get userId(): string {
    return this.happening.userId;
  }

  /** Root message of the thread. Empty outside of threads. */
  get threadId(): string {
    return this.textOf('thread_id');
  }

  /**
   * Returns an idempotency key that is the same every time this activity is handled. Use it for
   * your own requests, so that a repeat has no effect.
   * @param purpose distinguishes several keys: letters, digits, `_`, `.`, `-`
   */
  key(purpose: string): string {
    return `${this.happening.key}:${purpose}`;
  }

  /** Returns a text field of the payload, or an empty text. */
  protected textOf(name: string): string {
    const value = this.happening.payload[name];
    return typeof value === 'string' ? value : '';
  }
}
