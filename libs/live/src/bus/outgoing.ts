import { Loop } from '@tieline/background';
import { GAP_LINE } from './lines.js';

/**
 * Maximum number of waiting lines. Further messages are dropped, because live views are worth less
 * than the process.
 */
const MAX_WAITING = 10_000;
const MAX_WAITING_CHARACTERS = 16_777_216;
const MAX_BATCH = 500;
const MAX_BATCH_CHARACTERS = 1_048_576;

/**
 * Outgoing lines: one batch at a time, while the next one grows. Drops everything while the
 * connection is closed, and notifies receivers of drops as soon as possible.
 */
export class Outgoing {
  private waiting: string[] = [];
  private characters = 0;
  private isOpen = false;
  private readonly sending = new Loop(() => this.sendNext());
  private turn: NodeJS.Immediate | undefined;
  private missed = false;

  constructor(
    private readonly send: (lines: string[]) => Promise<void>,
    private readonly dropped: (count: number, reason: 'outage' | 'overload') => void,
  ) {}

  /** Queues or drops a line. Returns immediately. */
  push(line: string): void {
    if (!this.isOpen) return this.drop(1, 'outage');
    if (this.waiting.length >= MAX_WAITING || this.characters + line.length > MAX_WAITING_CHARACTERS)
      return this.drop(1, 'overload');
    this.waiting.push(line);
    this.characters += line.length;
    this.wakeAfterTurn();
  }

  /** The connection is open. */
  open(): void {
    this.isOpen = true;
    if (this.missed) this.sending.wake();
  }

  /** The connection is closed. Drops waiting lines. */
  shut(): void {
    this.isOpen = false;
    const lost = this.waiting.length;
    this.waiting = [];
    this.characters = 0;
    if (lost > 0) this.drop(lost, 'outage');
  }

  /** Resolves when no lines are waiting. */
  async flushed(): Promise<void> {
    this.sending.wake();
    await this.sending.drain();
  }

  /** Messages of one event loop turn are sent together, whichever promise publishes them. */
  private wakeAfterTurn(): void {
    this.turn ??= setImmediate(() => {
      this.turn = undefined;
      this.sending.wake();
    });
  }

  /** @returns whether more lines are waiting */
  private async sendNext(): Promise<boolean> {
    if (!this.isOpen || (this.waiting.length === 0 && !this.missed)) return false;
    const batch = this.nextBatch();
    const reportGap = this.missed;
    this.missed = false;
    try {
      await this.send(reportGap ? [GAP_LINE, ...batch] : batch);
    } catch {
      // It may have arrived. Nothing is sent twice. The transport reports closing and opening.
      this.missed = true;
      if (batch.length > 0) this.drop(batch.length, 'outage');
      this.shut();
    }
    return true;
  }

  private nextBatch(): string[] {
    let count = 0;
    let characters = 0;
    while (count < Math.min(this.waiting.length, MAX_BATCH)) {
      characters += (this.waiting[count] as string).length;
      if (count > 0 && characters > MAX_BATCH_CHARACTERS) break;
      count += 1;
    }
    const batch = this.waiting.splice(0, count);
    for (const line of batch) this.characters -= line.length;
    return batch;
  }

  private drop(count: number, reason: 'outage' | 'overload'): void {
    this.missed = true;
    this.dropped(count, reason);
  }
}
