import type { MessageView } from '@tieline/sdk/api';
import { applyEvent, emptyLog, knownUntil, mergeChanged, mergePage } from './message-log.js';
import type { HistoryPage, LogEvent, MessageLog } from './message-log.js';

/** An ephemeral message for this person. It is not stored and disappears with the page. */
export interface Whisper {
  key: string;
  /** Id of the bot's own message. A later one with the same id replaces it. */
  messageId?: string;
  botId?: string;
  text: string;
  metadata?: string;
  /** Blocks of a Slack app. */
  appBlocks?: unknown;
  /** Shown after the message with this index. */
  after: number;
  at: string;
}

/** A message to be sent. */
interface Draft {
  text: string;
  /** Uploaded files. */
  files: readonly { id: string; name: string }[];
}

/** A message that is being sent or failed to send. */
export interface Outgoing extends Draft {
  key: string;
  failure?: unknown;
}

export interface RoomState {
  log: MessageLog;
  whispers: readonly Whisper[];
  outgoing: readonly Outgoing[];
  isLoaded: boolean;
  loading?: 'only' | 'before' | 'after';
  failure?: unknown;
}

export type Query = {
  before_msg_index?: number;
  after_msg_index?: number;
  around_msg_index?: number;
  updated_since?: string;
  limit?: number;
};

/** Page size: small enough to load quickly, large enough for quick scrolling. */
const PAGE = 100;

/**
 * The loaded messages of one conversation or thread. Live events that arrive while a page is
 * loading are applied again over the page, which may be older.
 */
export class Room {
  private state: RoomState = { log: emptyLog, whispers: [], outgoing: [], isLoaded: false };
  private readonly listeners = new Set<() => void>();
  private readonly underWay = new Set<LogEvent[]>();

  /** @param conversationId the conversation, or the channel of the thread */
  constructor(
    readonly conversationId: string,
    private readonly read: (query: Query) => Promise<HistoryPage>,
    /** Posts a message. A message already posted under the key is not posted again. */
    private readonly write: (draft: Draft, key: string) => Promise<unknown>,
  ) {}

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly snapshot = (): RoomState => this.state;

  /** Loads the latest messages, or those around an index. */
  async open(around?: number): Promise<void> {
    const query = around === undefined ? {} : { around_msg_index: around };
    await this.page('only', query);
  }

  async older(): Promise<void> {
    const [first] = this.state.log.messages;
    if (this.state.loading || this.state.failure != null || !first || !this.state.log.hasBefore) return;
    await this.page('before', { before_msg_index: first.msg_index });
  }

  async newer(): Promise<void> {
    const last = this.state.log.messages.at(-1);
    if (this.state.loading || this.state.failure != null || !last || !this.state.log.hasAfter) return;
    await this.page('after', { after_msg_index: last.msg_index });
  }

  /**
   * Requests changes missed while the stream was closed.
   *
   * @param isBack the stream was lost, so replies may have been missed
   */
  async catchUp({ isBack = false } = {}): Promise<void> {
    if (!this.state.isLoaded) return;
    const since = knownUntil(this.state.log);
    if (since === undefined) return this.page('only', {});
    try {
      const { result: page, missed } = await this.watched(() =>
        this.read({ updated_since: since, limit: 200 }),
      );
      // More than a page was missed: loads the latest page to avoid a gap, unless the user reads
      // old messages.
      if (page.has_more_after)
        return await (this.state.log.hasAfter ? this.readKept() : this.page('only', {}));
      this.set({ log: replay(mergeChanged(this.state.log, page.messages), missed) });
      return await (isBack ? this.recount() : undefined);
    } catch {
      // The next event or reconnection requests it again. The shown messages stay.
    }
  }

  /**
   * A reply does not change its root message. Loads the latest page again, because most replies are
   * there.
   */
  private async recount(): Promise<void> {
    const { messages, hasAfter } = this.state.log;
    if (this.listeners.size === 0 || hasAfter || messages.length === 0) return;
    const { result: page, missed } = await this.watched(() => this.read({ limit: PAGE }));
    this.set({ log: replay(mergeChanged(this.state.log, page.messages), missed) });
  }

  private async readKept(): Promise<void> {
    const { messages } = this.state.log;
    for (let n = PAGE / 2; n < messages.length + PAGE / 2; n += PAGE) {
      const middle = messages[Math.min(n, messages.length - 1)];
      if (!middle) return;
      const around = { around_msg_index: middle.msg_index, limit: PAGE };
      const { result: page, missed } = await this.watched(() => this.read(around));
      this.set({ log: replay(mergeChanged(this.state.log, page.messages), missed) });
    }
  }

  /** Applies an event. */
  take(event: LogEvent): void {
    for (const events of this.underWay) events.push(event);
    this.set({ log: applyEvent(this.state.log, event) });
  }

  whisper(whisper: Omit<Whisper, 'key' | 'after' | 'at'>): void {
    const { messageId } = whisper;
    // The answer of a polling bot names the clicked message. Only the bot's own messages are
    // replaced.
    const isOwn = messageId !== undefined && !this.state.log.messages.some(({ id }) => id === messageId);
    const key = isOwn ? messageId : crypto.randomUUID();
    const after = this.state.log.messages.at(-1)?.msg_index ?? 0;
    const old = this.state.whispers.find((other) => other.key === key);
    const made = { ...whisper, key, after: old?.after ?? after, at: old?.at ?? new Date().toISOString() };
    this.set({
      whispers: old
        ? this.state.whispers.map((other) => (other === old ? made : other))
        : [...this.state.whispers, made],
    });
  }

  dismiss(key: string): void {
    this.set({
      whispers: this.state.whispers.filter((whisper) => whisper.key !== key),
      outgoing: this.state.outgoing.filter((outgoing) => outgoing.key !== key),
    });
  }

  /**
   * Sends a message and shows it at the end until it arrives. A failed message can be retried under
   * its key: if it arrived and only the response was lost, the server returns the stored one.
   */
  async send({ text, files }: Draft, key: string = crypto.randomUUID()): Promise<void> {
    const old = this.state.outgoing.find((outgoing) => outgoing.key === key);
    const made = { key, text, files };
    this.set({ outgoing: [...this.state.outgoing.filter((outgoing) => outgoing !== old), made] });
    try {
      if (this.state.log.hasAfter) await this.page('only', {});
      await this.write(made, key);
      await this.reread();
      this.dismiss(key);
    } catch (failure) {
      this.set({
        outgoing: this.state.outgoing.map((outgoing) =>
          outgoing.key === key ? { ...outgoing, failure } : outgoing,
        ),
      });
    }
  }

  private reread(): Promise<void> {
    return this.state.isLoaded ? this.catchUp() : this.page('only', {});
  }

  private async page(side: 'only' | 'before' | 'after', query: Query): Promise<void> {
    this.set({ loading: side, failure: undefined });
    try {
      const { result, missed } = await this.watched(() => this.read({ ...query, limit: PAGE }));
      this.set({
        log: replay(mergePage(this.state.log, result, side), missed),
        isLoaded: true,
        loading: undefined,
      });
    } catch (failure) {
      this.set({ loading: undefined, failure });
    }
  }

  private async watched<T>(read: () => Promise<T>): Promise<{ result: T; missed: LogEvent[] }> {
    const missed: LogEvent[] = [];
    this.underWay.add(missed);
    try {
      return { result: await read(), missed };
    } finally {
      this.underWay.delete(missed);
    }
  }

  private set(some: Partial<RoomState>): void {
    this.state = { ...this.state, ...some };
    for (const listener of this.listeners) listener();
  }
}

const replay = (log: MessageLog, events: readonly LogEvent[]): MessageLog => events.reduce(applyEvent, log);

/** Returns a message of the room by id. */
export const inRoom = (state: RoomState, id: string): MessageView | undefined =>
  state.log.messages.find((message) => message.id === id);
