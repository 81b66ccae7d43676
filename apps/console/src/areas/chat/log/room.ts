import type { MessageView } from '@tieline/sdk/api';
import { applyEvent, emptyLog, knownUntil, mergeChanged, mergePage } from './message-log.js';
import type { HistoryPage, LogEvent, MessageLog } from './message-log.js';

/** What was shown to this person alone. It is stored nowhere and gone with the page. */
export interface Whisper {
  key: string;
  /** Of the bot's own message; one with the same id takes its place. */
  messageId?: string;
  botId?: string;
  text: string;
  metadata?: string;
  /** Stands after the message with this index. */
  after: number;
  at: string;
}

/** What somebody says. */
export interface Draft {
  text: string;
  /** Uploaded and ready. */
  files: readonly { id: string; name: string }[];
}

/** What is on its way, or did not arrive. */
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

/** Small enough to come at once, large enough that a quick scroll does not wait. */
const PAGE = 100;

/**
 * What is known of one conversation or thread. What comes live while a page is on its way is played
 * again over the page, for the page may be older than it.
 */
export class Room {
  private state: RoomState = { log: emptyLog, whispers: [], outgoing: [], isLoaded: false };
  private readonly listeners = new Set<() => void>();
  private readonly underWay = new Set<LogEvent[]>();

  /** @param conversationId the conversation, or the one that the thread belongs to */
  constructor(
    readonly conversationId: string,
    private readonly read: (query: Query) => Promise<HistoryPage>,
    /** What was written under the key already is not written again. */
    private readonly write: (draft: Draft, key: string) => Promise<unknown>,
  ) {}

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly snapshot = (): RoomState => this.state;

  /** Begins at the newest message, or around one. */
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
   * Asks for what happened while nobody listened. @param isBack the stream was lost: replies to
   * what is shown may have been missed
   */
  async catchUp({ isBack = false } = {}): Promise<void> {
    if (!this.state.isLoaded) return;
    const since = knownUntil(this.state.log);
    if (since === undefined) return this.page('only', {});
    try {
      const { result: page, missed } = await this.watched(() =>
        this.read({ updated_since: since, limit: 200 }),
      );
      // More than a page was missed: the newest is asked for anew, so that no hole stays. Who reads
      // what is old stays there.
      if (page.has_more_after)
        return await (this.state.log.hasAfter ? this.readKept() : this.page('only', {}));
      this.set({ log: replay(mergeChanged(this.state.log, page.messages), missed) });
      return await (isBack ? this.recount() : undefined);
    } catch {
      // The next event or reconnection asks again; what is shown stays.
    }
  }

  /**
   * A reply is no change of the message that it replies to: the end, where most are, is read anew.
   * Whoever opens the room reads it anyway.
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

  /** Something happened here. */
  take(event: LogEvent): void {
    for (const events of this.underWay) events.push(event);
    this.set({ log: applyEvent(this.state.log, event) });
  }

  whisper(whisper: Omit<Whisper, 'key' | 'after' | 'at'>): void {
    const { messageId } = whisper;
    // A polling bot's answer names the message that was clicked; only its own messages are
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
   * Sends what somebody says. It stands at the end until it arrives. What failed can be sent again
   * under its key: where it did arrive and only the answer was lost, the server says so and nothing
   * is said twice.
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

/** The message of this id, where the room has it. */
export const inRoom = (state: RoomState, id: string): MessageView | undefined =>
  state.log.messages.find((message) => message.id === id);
