import { Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { Signal } from '@tieline/background';
import { Bus } from '@tieline/live';
import type { Approval } from '../approval.js';
import { APPROVALS_CHANNEL } from '../events/announce-approvals.js';
import type { ApprovalHint } from '../events/announce-approvals.js';

/** Maximum delay of a waiting request if the hint was lost. */
const SECOND_LOOK_MS = 2_000;
/** Maximum number of waiting requests of one bot per process. One more ends the oldest. */
const MAX_PER_BOT = 100;

interface Wait {
  id: string;
  botId: string;
  /** In seconds. */
  wait: number;
  /** Aborts when the client disconnects. */
  gone: AbortSignal;
}

/**
 * Requests that wait for the end of an approval. A wait uses only memory, no connection and no
 * transaction. Processes send each other hints; the approvals are in the database.
 */
@Injectable()
export class ApprovalWaiters implements OnModuleInit, OnModuleDestroy, BeforeApplicationShutdown {
  private readonly waiting = new Set<Waiter>();
  private readonly endings: (() => void)[] = [];
  private closed = false;

  constructor(private readonly bus: Bus) {}

  onModuleInit(): void {
    this.endings.push(
      this.bus.subscribe(APPROVALS_CHANNEL, (hint) => this.look((hint as ApprovalHint).id)),
      this.bus.onReconnect(() => this.look()),
    );
  }

  onModuleDestroy(): void {
    for (const end of this.endings.splice(0)) end();
  }

  /** Ends all waits immediately, because the process is about to stop. */
  beforeApplicationShutdown(): void {
    this.closed = true;
    for (const waiter of this.waiting) waiter.end();
  }

  /**
   * Reads an approval until it is no longer pending, the time is up, or the client disconnects.
   * Reading again also checks that the caller still may.
   *
   * @returns the state of the approval that was read last
   */
  async untilEnded(read: () => Promise<Approval>, { id, botId, wait, gone }: Wait): Promise<Approval> {
    if (wait === 0) return read();
    const deadline = performance.now() + wait * 1000;
    const waiter = this.enter(id, botId, gone);
    try {
      for (;;) {
        const approval = await read();
        const left = deadline - performance.now();
        if (approval.state !== 'pending' || left <= 0 || waiter.hasEnded) return approval;
        await waiter.wait(Math.min(left, SECOND_LOOK_MS));
      }
    } finally {
      this.waiting.delete(waiter);
    }
  }

  private enter(id: string, botId: string, gone: AbortSignal): Waiter {
    const own = [...this.waiting].filter((waiter) => waiter.botId === botId);
    if (own.length >= MAX_PER_BOT) own[0]?.end();
    const waiter = new Waiter(id, botId);
    this.waiting.add(waiter);
    if (this.closed || gone.aborted) waiter.end();
    gone.addEventListener('abort', () => waiter.end(), { once: true });
    return waiter;
  }

  /** @param id absent: any approval may have changed */
  private look(id?: string): void {
    for (const waiter of this.waiting) if (id === undefined || waiter.id === id) waiter.look();
  }
}

class Waiter {
  hasEnded = false;
  private readonly signal = new Signal();

  constructor(
    readonly id: string,
    readonly botId: string,
  ) {}

  async wait(ms: number): Promise<void> {
    if (!this.hasEnded) await this.signal.wait(ms);
  }

  look(): void {
    this.signal.notify();
  }

  /** Ends this wait after one more read. */
  end(): void {
    this.hasEnded = true;
    this.signal.notify();
  }
}
