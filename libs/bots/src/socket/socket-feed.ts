import { doneWithin, Loop } from '@tieline/background';
import type { Bus } from '@tieline/live';
import { isSameScopes } from '@tieline/platform/http';
import type { Metrics } from '@tieline/platform/observability';
import { grantedScopes } from '../accounts/bot-tokens.js';
import { announcePollRecords } from '../poll/announce-poll-records.js';
import type { BotSocket } from './bot-socket.js';
import type { ClaimedEnvelope } from './envelope.view.js';
import type { SocketBot, SocketDialect } from './socket-dialect.js';
import type { ServeSockets, SocketState } from './serve-sockets.js';

const RETRY_MS = 500;
/** Time limit for the last run. The database handles the rest when it is due. */
const LAST_RUN_MS = 1000;

/** The sockets of one bot in this process, and the envelopes sent over them. */
export class SocketFeed {
  readonly sockets = new Set<BotSocket>();
  private readonly acknowledging = new Set<string>();
  private readonly acknowledged = new Set<string>();
  private readonly running = new Map<string, Promise<void>>();
  private readonly abandoned = new Set<string>();
  private readonly loop: Loop;
  private lookedAt = 0;
  /** Times at which envelopes sent from here may be due again. */
  private readonly looks: number[] = [];

  constructor(
    private readonly owner: SocketBot,
    private readonly serveSockets: ServeSockets,
    private readonly bus: Bus,
    metrics: Metrics,
  ) {
    this.loop = new Loop(() => this.run(), {
      retryMs: RETRY_MS,
      failed: () => metrics.failure('bot_socket'),
    });
  }

  wake(): void {
    this.loop.wake();
  }

  /**
   * Starts to process an acknowledgement. The first one of an envelope counts.
   * @returns whether this is the first
   */
  begin(id: string): boolean {
    if (this.acknowledging.has(id) || this.acknowledged.has(id)) return false;
    this.acknowledging.add(id);
    return true;
  }

  /** Ends a process that had no effect, so that a later acknowledgement counts. */
  end(id: string): void {
    this.acknowledging.delete(id);
  }

  /** Runs `work` for an envelope, once at a time. */
  runOnce(id: string, work: () => Promise<void>): Promise<void> {
    const running =
      this.running.get(id) ??
      work().finally(() => {
        this.running.delete(id);
      });
    this.running.set(id, running);
    return running;
  }

  /** Waits for running work of an envelope, so that its acknowledgement comes after it. */
  async runDone(id: string): Promise<void> {
    await this.running.get(id)?.catch(() => undefined);
  }

  /** Extends the lease of an envelope, unless it was sent over another socket. */
  extendLease(id: string, seconds: number): void {
    const dueAt = performance.now() + seconds * 1000;
    for (const socket of this.sockets) socket.extendLease(id, dueAt);
  }

  acknowledge(id: string): void {
    for (const socket of this.sockets) socket.forget(id);
    this.acknowledged.add(id);
    this.wake();
  }

  /** Removes a closed socket. Its unacknowledged envelopes are sent again immediately. */
  remove(socket: BotSocket): void {
    this.sockets.delete(socket);
    socket.forgetDue();
    for (const id of socket.unacknowledged) this.abandoned.add(id);
    this.wake();
  }

  /** Runs the feed if an envelope is due, or if the last run was `lookMs` ago. */
  tick(lookMs: number): void {
    const now = performance.now();
    for (const socket of this.sockets) socket.closeIfSlow();
    let isDue = now - this.lookedAt >= lookMs;
    for (; (this.looks[0] ?? Infinity) <= now; this.looks.shift()) isDue = true;
    if (isDue) this.wake();
  }

  /** Runs once more, then stops. */
  async close(): Promise<void> {
    this.wake();
    await doneWithin(this.loop.drain(), LAST_RUN_MS);
    await this.loop.stop();
  }

  private async run(): Promise<boolean> {
    const acknowledged = [...this.acknowledged];
    const abandoned = [...this.abandoned].filter((id) => !this.acknowledged.has(id));
    const again = new Map(
      [...this.sockets].flatMap((socket) => socket.due.map((id) => [id, socket] as const)),
    );
    const room = [...this.sockets].reduce((sum, socket) => sum + socket.room, 0);
    this.lookedAt = performance.now();
    const served = await this.serveSockets.run({
      ...this.owner,
      acknowledged,
      abandoned,
      again: [...again.keys()],
      room,
    });
    for (const id of acknowledged) this.acknowledged.delete(id);
    for (const id of abandoned) this.abandoned.delete(id);
    if (!served) return false;
    if (served.envelopes.length > 0) this.looks.push(this.nextDue());
    this.closeUnauthorized(served.state);
    await this.distribute(served.envelopes, again);
    // Sockets in other processes may have room for the returned envelopes.
    if (abandoned.length > 0) announcePollRecords(this.bus, [this.owner.botId]);
    return [...this.sockets].some(({ due, room: free }) => due.length > 0 || (served.more && free > 0));
  }

  private nextDue(): number {
    return performance.now() + this.serveSockets.ackSeconds * 1000;
  }

  /** A socket acts with the scopes with which it was opened, so it ends when they change. */
  private closeUnauthorized({ isActive, tokenHash, scopes, mode, eventFormat }: SocketState): void {
    const granted = grantedScopes(scopes);
    for (const socket of this.sockets)
      if (!isActive || !tokenHash.equals(socket.owner.tokenHash)) socket.end('token');
      else if (!isSameScopes(granted, socket.owner.scopes)) socket.end('token');
      else if (mode !== 'poll' || eventFormat !== socket.dialect.format) socket.end('mode');
  }

  /**
   * Sends envelopes to the sockets with the fewest in flight, in turn. An envelope that is due
   * again stays with its socket unless another one has fewer in flight.
   */
  private async distribute(
    envelopes: readonly ClaimedEnvelope[],
    again: ReadonlyMap<string, BotSocket>,
  ): Promise<void> {
    // Later than in the database, which counted from before its response, so that what is due here
    // is also due there.
    const dueAt = this.nextDue();
    const claimed = new Set(envelopes.map(({ id }) => id));
    // The others were acknowledged elsewhere, claimed by another process, or left to polling.
    for (const [id, socket] of again) if (!claimed.has(id) || !socket.isOpen) socket.forget(id);
    const texts = await this.textsOf(envelopes);
    for (const envelope of envelopes) {
      const socket = this.socketFor(again.get(envelope.id));
      if (!socket) {
        this.abandoned.add(envelope.id);
        continue;
      }
      const text = texts.get(socket.dialect)?.get(envelope.id);
      if (text === undefined) {
        this.acknowledge(envelope.id);
        continue;
      }
      const before = again.get(envelope.id);
      if (before !== socket) before?.forget(envelope.id);
      socket.sendEnvelope(envelope.id, text, dueAt);
      // Moves the socket to the end, so that sockets with the same number in flight take turns.
      this.sockets.delete(socket);
      this.sockets.add(socket);
    }
  }

  /** Returns the texts in each dialect: only one, unless the format has just changed. */
  private async textsOf(
    envelopes: readonly ClaimedEnvelope[],
  ): Promise<Map<SocketDialect, ReadonlyMap<string, string>>> {
    const texts = new Map<SocketDialect, ReadonlyMap<string, string>>();
    if (envelopes.length === 0) return texts;
    for (const dialect of new Set([...this.sockets].map((socket) => socket.dialect)))
      texts.set(dialect, await dialect.envelopes(this.owner, envelopes));
    return texts;
  }

  /** @param before the socket that it was sent over, where it needs no room */
  private socketFor(before: BotSocket | undefined): BotSocket | undefined {
    const roomiest = this.roomiest();
    if (!before?.isOpen) return roomiest;
    return roomiest && roomiest.sent.size < before.sent.size ? roomiest : before;
  }

  private roomiest(): BotSocket | undefined {
    // Never exceeds the number that it may have in flight. An envelope claimed for a socket that
    // has closed or become slow is sent over another.
    const open = [...this.sockets].filter(({ free }) => free > 0);
    const withRoom = open.filter(({ room }) => room > 0);
    return (withRoom.length > 0 ? withRoom : open).reduce<BotSocket | undefined>(
      (best, socket) => (best && best.sent.size <= socket.sent.size ? best : socket),
      undefined,
    );
  }
}
