import { setImmediate as nextTurn } from 'node:timers/promises';
import { ActiveKeys } from '@tieline/background';

/** Attempts that start in one turn of the event loop while several spaces have deliveries. */
const PER_TURN = 4;
/** The same while only one space has deliveries. */
const PER_TURN_ALONE = 64;

/** An attempt that is ready to start. */
export interface ReadyAttempt {
  spaceId: string;
  /** Starts the attempt and returns without waiting for its result. */
  start: () => void;
}

/**
 * Starts attempts in small groups, so that the process can plan, claim and settle in between.
 * Spaces take turns: a space with one delivery does not wait for the hundreds of another.
 */
export class AttemptStarter {
  private readonly waiting = new Map<string, (() => void)[]>();
  private readonly active = new ActiveKeys();
  private isStarting = false;

  /** The spaces that had attempts within the last second: none, one, or the latest two. */
  get activeSpaces(): string[] {
    return this.active.keys();
  }

  /** Records that the space has deliveries. */
  note(spaceId: string): void {
    this.active.note(spaceId);
  }

  /** Starts the attempts in their turn, each space's in the given order. */
  add(attempts: readonly ReadyAttempt[]): void {
    for (const { spaceId, start } of attempts) {
      this.active.note(spaceId);
      const line = this.waiting.get(spaceId);
      if (line) line.push(start);
      else this.waiting.set(spaceId, [start]);
    }
    if (!this.isStarting) void this.startAll();
  }

  private async startAll(): Promise<void> {
    this.isStarting = true;
    while (this.waiting.size > 0) {
      const most = this.active.areSeveral() ? PER_TURN : PER_TURN_ALONE;
      for (let n = 0; n < most; n += 1) this.startNext();
      if (this.waiting.size > 0) await nextTurn();
    }
    this.isStarting = false;
  }

  /** Starts the first attempt of the space whose turn it is, and moves the space to the end. */
  private startNext(): void {
    const [next] = this.waiting;
    if (!next) return;
    const [spaceId, line] = next;
    this.waiting.delete(spaceId);
    const start = line.shift();
    if (line.length > 0) this.waiting.set(spaceId, line);
    start?.();
  }
}
