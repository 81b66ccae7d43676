import { AsyncResource } from 'node:async_hooks';
import { ActiveKeys } from '@tieline/background';
import type { FastifyInstance } from 'fastify';
import { addressOf } from '../callers/client-addresses.js';

/** Requests of a sender that start in one turn of the event loop, beside other senders. */
const PER_TURN = 4;
/** With more waiting requests than this, a new one starts the oldest of its sender. */
const MAX_WAITING = 1000;

/**
 * Spreads a burst of one sender over several turns of the event loop while other senders are
 * active. Requests of others are read, checked and answered in between.
 */
export class RequestTurns {
  private readonly senders = new ActiveKeys();
  /** How many requests of each sender have started in this turn. */
  private readonly started = new Map<string, number>();
  /** In order of arrival. */
  private readonly waiting = new Map<string, (() => void)[]>();
  private waitingCount = 0;
  private isTurnPlanned = false;

  /** Calls `start` in this turn of the event loop, or in a later one in the caller's context. */
  enter(sender: string, start: () => void): void {
    this.senders.note(sender);
    this.planTurn();
    const queue = this.waiting.get(sender);
    const started = this.started.get(sender) ?? 0;
    if (queue || (started >= PER_TURN && this.senders.areSeveral())) {
      this.wait(sender, queue ?? [], start);
    } else {
      this.started.set(sender, started + 1);
      start();
    }
  }

  private wait(sender: string, queue: (() => void)[], start: () => void): void {
    queue.push(AsyncResource.bind(start));
    this.waiting.set(sender, queue);
    this.waitingCount += 1;
    if (this.waitingCount > MAX_WAITING) this.startOldest(sender, queue, 1);
  }

  private startOldest(sender: string, queue: (() => void)[], count: number): void {
    const starts = queue.splice(0, count);
    if (queue.length === 0) this.waiting.delete(sender);
    this.waitingCount -= starts.length;
    this.started.set(sender, (this.started.get(sender) ?? 0) + starts.length);
    for (const start of starts) start();
  }

  private planTurn(): void {
    if (this.isTurnPlanned) return;
    this.isTurnPlanned = true;
    setImmediate(() => this.beginTurn());
  }

  private beginTurn(): void {
    this.isTurnPlanned = false;
    this.started.clear();
    if (this.waiting.size > 0) this.planTurn();
    for (const [sender, queue] of [...this.waiting]) this.startOldest(sender, queue, PER_TURN);
  }
}

/**
 * Lets requests take turns before their body is read (docs/security.md#limits-for-one-client).
 *
 * A sender is an unchecked credential, or without one a network address. A caller with several of
 * them gets more requests per turn, but no other right.
 */
export function takeTurns(fastify: FastifyInstance): void {
  const turns = new RequestTurns();
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { authorization, cookie } = request.headers;
    turns.enter(authorization ?? cookie ?? addressOf(request), done);
  });
}
