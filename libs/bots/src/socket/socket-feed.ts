import { setTimeout as sleep } from 'node:timers/promises';
import { Loop } from '@tieline/background';
import type { Bus } from '@tieline/live';
import type { Db } from '@tieline/platform/database';
import { announcePollRecords } from '../poll/announce-poll-records.js';
import { idFloor } from '../poll/poll-ids.js';
import type { BotSocket } from './bot-socket.js';
import { envelopeText } from './envelope.view.js';
import type { ClaimedEnvelope } from './envelope.view.js';
import type { SocketOwner } from './open-socket.js';
import { serveSockets } from './serve-sockets.js';
import type { SocketState } from './serve-sockets.js';

const RETRY_MS = 500;
/** What is not done by then, the database does when it is due. */
const LAST_RUN_MS = 1000;

/** What feeds need. */
export interface FeedParts {
  db: Db;
  bus: Bus;
  ackSeconds: number;
  retentionMs: number;
  failed(error: unknown): void;
}

/** The sockets of one bot in this process, and what goes over them. */
export class SocketFeed {
  readonly sockets = new Set<BotSocket>();
  private readonly acknowledging = new Set<string>();
  private readonly acknowledged = new Set<string>();
  private readonly telling = new Map<string, Promise<void>>();
  private readonly abandoned = new Set<string>();
  private readonly loop: Loop;
  private lookedAt = 0;
  /** When something that was sent from here may be due again. */
  private readonly looks: number[] = [];

  constructor(
    private readonly owner: Pick<SocketOwner, 'spaceId' | 'botId'>,
    private readonly parts: FeedParts,
  ) {
    this.loop = new Loop(() => this.run(), {
      retryMs: RETRY_MS,
      failed: (error) => parts.failed(error),
    });
  }

  wake(): void {
    this.loop.wake();
  }

  /**
   * Of several acknowledgements of an envelope the first counts. @returns whether this one is the
   * first
   */
  begin(id: string): boolean {
    if (this.acknowledging.has(id) || this.acknowledged.has(id)) return false;
    this.acknowledging.add(id);
    return true;
  }

  /** What began ended without effect: a later acknowledgement counts. */
  end(id: string): void {
    this.acknowledging.delete(id);
  }

  /** Tells the person who waits for what an envelope brought; once at a time. */
  tell(id: string, work: () => Promise<void>): Promise<void> {
    const telling =
      this.telling.get(id) ??
      work().finally(() => {
        this.telling.delete(id);
      });
    this.telling.set(id, telling);
    return telling;
  }

  /** @returns when nobody is being told: an acknowledgement comes after that */
  async told(id: string): Promise<void> {
    await this.telling.get(id)?.catch(() => undefined);
  }

  /** The envelope is left to its socket for longer, unless it went elsewhere already. */
  hold(id: string, seconds: number): void {
    const dueAt = performance.now() + seconds * 1000;
    for (const socket of this.sockets) socket.leave(id, dueAt);
  }

  acknowledge(id: string): void {
    for (const socket of this.sockets) socket.forget(id);
    this.acknowledged.add(id);
    this.wake();
  }

  /** A socket that has gone: what it has not acknowledged is sent again at once. */
  remove(socket: BotSocket): void {
    this.sockets.delete(socket);
    socket.forgetDue();
    for (const id of socket.unacknowledged) this.abandoned.add(id);
    this.wake();
  }

  /** Looks again where something is due, or nobody has looked for `lookMs`. */
  tick(lookMs: number): void {
    const now = performance.now();
    for (const socket of this.sockets) socket.judgePace();
    let isDue = now - this.lookedAt >= lookMs;
    for (; (this.looks[0] ?? Infinity) <= now; this.looks.shift()) isDue = true;
    if (isDue) this.wake();
  }

  /** Does what is left to do, and no more. */
  async close(): Promise<void> {
    this.wake();
    await Promise.race([this.loop.drain(), sleep(LAST_RUN_MS, undefined, { ref: false })]);
    await this.loop.stop();
  }

  private async run(): Promise<boolean> {
    const acknowledged = [...this.acknowledged];
    const abandoned = [...this.abandoned].filter((id) => !this.acknowledged.has(id));
    const again = new Map(
      [...this.sockets].flatMap((socket) => socket.due.map((id) => [id, socket] as const)),
    );
    const room = [...this.sockets].reduce((sum, socket) => sum + socket.room, 0);
    const { db, ackSeconds, retentionMs } = this.parts;
    const oldest = idFloor(new Date(Date.now() - retentionMs));
    this.lookedAt = performance.now();
    const served = await serveSockets(db, {
      ...this.owner,
      acknowledged,
      abandoned,
      again: [...again.keys()],
      room,
      oldest,
      ackSeconds,
    });
    for (const id of acknowledged) this.acknowledged.delete(id);
    for (const id of abandoned) this.abandoned.delete(id);
    if (!served) return false;
    if (served.envelopes.length > 0) this.looks.push(performance.now() + ackSeconds * 1000);
    this.judge(served.state);
    this.share(served.envelopes, again);
    // Sockets in other processes may have room for what was given back.
    if (abandoned.length > 0) announcePollRecords(this.parts.bus, [this.owner.botId]);
    return [...this.sockets].some(({ due, room: free }) => due.length > 0 || (served.more && free > 0));
  }

  private judge({ isActive, tokenHash, mode }: SocketState): void {
    for (const socket of this.sockets)
      if (!isActive || !tokenHash.equals(socket.owner.tokenHash)) socket.end('token');
      else if (mode !== 'poll') socket.end('mode');
  }

  /**
   * In turn, to those that hold least; what is due again stays with its socket unless another one
   * holds less.
   */
  private share(envelopes: readonly ClaimedEnvelope[], again: ReadonlyMap<string, BotSocket>): void {
    // Later than in the database, which counted from before the answer: what is due here is due
    // there.
    const dueAt = performance.now() + this.parts.ackSeconds * 1000;
    const claimed = new Set(envelopes.map(({ id }) => id));
    // The others were acknowledged elsewhere, taken by another process, or left to polling.
    for (const [id, socket] of again) if (!claimed.has(id) || !socket.isOpen) socket.forget(id);
    for (const envelope of envelopes) {
      const socket = this.socketFor(again.get(envelope.id));
      if (!socket) {
        this.abandoned.add(envelope.id);
        continue;
      }
      const before = again.get(envelope.id);
      if (before !== socket) before?.forget(envelope.id);
      socket.sendEnvelope(envelope.id, envelopeText(this.owner.spaceId, envelope), dueAt);
      // Of those that hold as much it is the last to get the next one.
      this.sockets.delete(socket);
      this.sockets.add(socket);
    }
  }

  /** @param before what it went over, and needs no room at */
  private socketFor(before: BotSocket | undefined): BotSocket | undefined {
    const roomiest = this.roomiest();
    if (!before?.isOpen) return roomiest;
    return roomiest && roomiest.sent.size < before.sent.size ? roomiest : before;
  }

  private roomiest(): BotSocket | undefined {
    // Never more than it may have in flight; what was claimed for one that is gone, or reads slowly
    // by now, goes to another.
    const open = [...this.sockets].filter(({ free }) => free > 0);
    const withRoom = open.filter(({ room }) => room > 0);
    return (withRoom.length > 0 ? withRoom : open).reduce<BotSocket | undefined>(
      (best, socket) => (best && best.sent.size <= socket.sent.size ? best : socket),
      undefined,
    );
  }
}
