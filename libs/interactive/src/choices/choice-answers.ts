import { Injectable } from '@nestjs/common';
import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { Bus } from '@tieline/live';
import { Db } from '@tieline/platform/database';
import type { Choice } from './choice.view.js';
import { findChoices } from './option-requests.queries.js';

const CHANNEL = 'choices';
/** Without a hint the answer is looked for so often. */
const LOOK_EVERY_MS = 500;

/** An answer that somebody waits for. Entered before the bot is asked, so that no hint is missed in between. */
export interface ChoiceWaiter {
  /** @returns undefined when there is none after so many milliseconds */
  wait(ms: number): Promise<Choice[] | undefined>;
  leave(): void;
}

/**
 * Answers of bots that poll, for the people who wait for them, in whatever process: a hint tells that there is one, the answer is
 * in the database. A wait holds no connection.
 */
@Injectable()
export class ChoiceAnswers implements OnModuleInit, OnModuleDestroy {
  private readonly waiting = new Map<string, () => void>();
  private end: (() => void) | undefined;

  constructor(
    private readonly db: Db,
    private readonly bus: Bus,
  ) {}

  onModuleInit(): void {
    this.end = this.bus.subscribe(CHANNEL, (hint) => this.waiting.get((hint as { id: string }).id)?.());
  }

  onModuleDestroy(): void {
    this.end?.();
  }

  /** Call it after the commit. */
  announce(id: string): void {
    this.bus.publish(CHANNEL, { id });
  }

  enter(spaceId: string, id: string): ChoiceWaiter {
    const hints = new Hints();
    this.waiting.set(id, () => hints.take());
    return {
      wait: async (ms) => {
        const until = Date.now() + ms;
        for (;;) {
          const left = until - Date.now();
          await hints.next(Math.min(Math.max(left, 0), LOOK_EVERY_MS));
          const choices = await findChoices(this.db, { spaceId, id });
          if (choices || left <= 0) return choices;
        }
      },
      leave: () => this.waiting.delete(id),
    };
  }
}

class Hints {
  private pending = false;
  private wake: (() => void) | undefined;

  take(): void {
    this.pending = true;
    this.wake?.();
  }

  /** A hint that came before the call counts. */
  async next(ms: number): Promise<void> {
    if (!this.pending)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    this.pending = false;
  }
}
