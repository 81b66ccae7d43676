import { Answering } from '../answers/answering.js';
import type { Door } from '../answers/door.js';
import { LateAnswers, TooLate } from '../answers/late-answers.js';
import type { BotApi } from '../bot-api.js';
import type { Happening } from '../happening.js';
import { Lanes } from './lanes.js';
import { isOutage, sleep } from './outages.js';
import { Remembered } from './remembered.js';

/** `again`: it was not handled and has to come again, from the server or after a restart. */
export type Outcome = 'done' | 'dropped' | 'again';

/** One look of a handler at a happening. */
export interface Attempt {
  happening: Happening;
  answering: Answering;
  /** Given when the bot stops and can't wait any longer. */
  signal: AbortSignal;
}

export interface EngineSettings {
  /** How many handlers run at once, of events and of what people wait for each. */
  concurrency: number;
  /** What has to be handled one after another has the same lane; null: no order. */
  order: (happening: Happening) => string | null;
  /** How often a handler may throw before its event is dropped. Outages don't count. */
  tries: number;
  /** How many keys of handled happenings are remembered. */
  remember: number;
  /** How long to wait after so many failures in a row, in milliseconds. */
  pause: (failures: number, retryAfterMs: number) => number;
  handle: (attempt: Attempt) => Promise<void>;
  /** Told of what is dropped. What it throws is logged. */
  onError: (error: unknown, attempt: Attempt) => Promise<void>;
  log: (text: string, error?: unknown) => void;
}

interface Result {
  outcome: Outcome;
  answering: Answering;
}

const dropped = ({ type, key }: Happening): string => `dropped ${type} ${key}`;

/**
 * Hands everything that happens to the handlers: once each, in order within a conversation, so many
 * at a time, and again when a handler fails. Whoever brings a happening acknowledges it after
 * `take` has said `done` or `dropped`.
 */
export class Engine {
  private readonly events: Lanes;
  /** People wait for these: a flood of events doesn't hold them up. */
  private readonly urgent: Lanes;
  private readonly running = new Map<string, Promise<Result>>();
  private readonly handled: Remembered<Outcome>;
  private readonly failures: Remembered<number>;
  private readonly stopping = new AbortController();
  private readonly giveUp = new AbortController();

  constructor(
    private readonly api: BotApi,
    private readonly settings: EngineSettings,
  ) {
    this.events = new Lanes(settings.concurrency);
    this.urgent = new Lanes(settings.concurrency);
    this.handled = new Remembered(settings.remember);
    this.failures = new Remembered(settings.remember);
  }

  /** Never rejects. A happening that is being handled is waited for, not handled twice. */
  async take(happening: Happening, door: Door): Promise<Outcome> {
    const { key } = happening;
    const known = this.handled.get(key);
    if (known) return known;
    const running = this.running.get(key);
    if (running) return (await running).outcome;
    const run = this.run(happening, door);
    this.running.set(key, run);
    const { outcome } = await run;
    this.running.delete(key);
    if (outcome !== 'again') {
      this.handled.set(key, outcome);
      this.failures.delete(key);
    }
    return outcome;
  }

  /** How many are being handled or wait for their turn. */
  get size(): number {
    return this.running.size;
  }

  /**
   * Nothing new is begun, what runs is waited for.
   * @param withinMs then the signal of what still runs is given
   * @returns whether everything has ended in time
   */
  async stop(withinMs: number): Promise<boolean> {
    this.stopping.abort();
    const settled = Promise.allSettled(this.running.values()).then(() => true);
    const inTime = await Promise.race([settled, sleep(withinMs, this.giveUp.signal).then(() => false)]);
    this.giveUp.abort();
    return inTime;
  }

  private async run(happening: Happening, door: Door): Promise<Result> {
    const { api, settings } = this;
    let leave: () => void = () => undefined;
    const late = new LateAnswers(api, happening, door.canRespond);
    const answering = new Answering(happening, door, late, () => leave());
    const stopWatch = this.watch(happening, door, answering);
    try {
      const outcome = await this.lanesOf(happening).run(this.laneOf(happening), (next) => {
        leave = next;
        // It has waited too long for its turn already.
        if (answering.holdsNobodyUp) leave();
        return this.attempts({ happening, answering, signal: this.giveUp.signal }, door);
      });
      return { outcome, answering };
    } catch (error) {
      settings.log(`could not handle ${happening.type} ${happening.key}`, error);
      return { outcome: 'again', answering };
    } finally {
      stopWatch();
    }
  }

  /** Somebody waits from the arrival on, also while the happening waits for its turn. */
  private watch({ type, key }: Happening, { patienceMs }: Door, answering: Answering): () => void {
    if (patienceMs === undefined) return () => undefined;
    const timer = setTimeout(() => {
      answering.overdue().catch((error) => this.settings.log(`no answer to ${type} ${key} in time`, error));
    }, patienceMs);
    return () => clearTimeout(timer);
  }

  private async attempts(attempt: Attempt, door: Door): Promise<Outcome> {
    const { settings } = this;
    let isHandled = false;
    for (let failures = 0; ; failures += 1) {
      if (this.stopping.signal.aborted && !isHandled) return 'again';
      try {
        if (!isHandled) await settings.handle(attempt);
        isHandled = true;
        await attempt.answering.end();
        return 'done';
      } catch (error) {
        const verdict = this.judge(error, attempt.happening, door);
        if (verdict === 'drop') return this.drop(error, attempt, door);
        if (verdict === 'leave') return 'again';
        await sleep(settings.pause(failures, retryAfterOf(error)), this.stopping.signal);
        if (this.stopping.signal.aborted) return 'again';
        if (!isHandled) attempt.answering.startAgain();
      }
    }
  }

  private judge(error: unknown, { key, type }: Happening, { retries }: Door): 'drop' | 'leave' | 'again' {
    const { settings, failures } = this;
    if (this.giveUp.signal.aborted) return 'leave';
    if (isOutage(error)) {
      settings.log(`${type} ${key} waits until the server is back`, error);
      return retries === 'here' ? 'again' : 'leave';
    }
    // What the bot may not do it may not do the next time either.
    if ((error as { status?: unknown } | null)?.status === 403) return 'drop';
    const count = (failures.get(key) ?? 0) + 1;
    failures.set(key, count);
    if (retries === 'nobody' || error instanceof TooLate || count >= settings.tries) return 'drop';
    settings.log(`the handler of ${type} ${key} failed, ${count} of ${settings.tries} tries`, error);
    return retries === 'here' ? 'again' : 'leave';
  }

  /**
   * So that one bad event doesn't stop the others. What the author says to the person now is the
   * answer.
   */
  private async drop(error: unknown, attempt: Attempt, { canRespond }: Door): Promise<Outcome> {
    const { happening, answering } = attempt;
    this.settings.log(dropped(happening), error);
    answering.startAgain();
    try {
      await this.settings.onError(error, attempt);
      // A callback without an answer fails, so that the person learns of it; a form elsewhere would
      // wait for one.
      if (answering.hasAnswer || canRespond) await answering.end();
    } catch (another) {
      this.settings.log(`${dropped(happening)}, and onError failed`, another);
    }
    return 'dropped';
  }

  private lanesOf({ kind }: Happening): Lanes {
    return kind === 'event' ? this.events : this.urgent;
  }

  private laneOf(happening: Happening): string | null {
    return happening.kind === 'options' ? null : this.settings.order(happening);
  }
}

function retryAfterOf(error: unknown): number {
  const { retryAfterMs } = error as { retryAfterMs?: unknown };
  return typeof retryAfterMs === 'number' ? retryAfterMs : 0;
}

/** The order that is kept unless another is asked for: that of a conversation. */
export const byConversation = ({ conversationId }: Happening): string | null => conversationId || null;
