import { Responder } from '../answers/responder.js';
import type { AnswerSender } from '../answers/answer-sender.js';
import { LateAnswers, TooLate } from '../answers/late-answers.js';
import type { BotApi } from '../bot-api.js';
import type { Activity } from '../activity.js';
import { isStop } from '../runs/stop-requests.js';
import { Lanes } from './lanes.js';
import { isOutage, sleep } from './outages.js';
import { BoundedMap } from './bounded-map.js';

/**
 * Result of an activity. `again`: it was not handled and must be delivered again, by the server or
 * after a restart.
 */
export type Outcome = 'done' | 'dropped' | 'again';

/** One attempt to handle an activity. */
export interface Attempt {
  activity: Activity;
  responder: Responder;
  /** Aborted when the bot stops and waits no longer. */
  signal: AbortSignal;
}

export interface EngineSettings {
  /**
   * Maximum number of concurrent handlers, for events and for activities that people wait for,
   * each.
   */
  concurrency: number;
  /** Called once for every new activity, before it waits for its lane. */
  arrived: (activity: Activity) => void;
  /** Returns a lane. Activities with the same lane are handled one at a time. Null: no order. */
  order: (activity: Activity) => string | null;
  /** Failed attempts before an activity is dropped. Outages do not count. */
  tries: number;
  /** Number of handled keys to remember. */
  remember: number;
  /** Returns the delay after a number of consecutive failures, in milliseconds. */
  pause: (failures: number, retryAfterMs: number) => number;
  handle: (attempt: Attempt) => Promise<void>;
  /** Called for dropped activities. Its errors are logged. */
  onError: (error: unknown, attempt: Attempt) => Promise<void>;
  log: (text: string, error?: unknown) => void;
}

interface Result {
  outcome: Outcome;
  responder: Responder;
}

const droppedText = ({ type, key }: Activity): string => `dropped ${type} ${key}`;

/**
 * Runs the handlers: once per activity, in order within a conversation, with limited concurrency,
 * and again after a failure. The caller acknowledges an activity when `take` returns `done` or
 * `dropped`.
 */
export class Engine {
  private readonly events: Lanes;
  /**
   * Activities that people wait for. Separate lanes, so that a flood of events does not delay them.
   */
  private readonly urgent: Lanes;
  private readonly running = new Map<string, Promise<Result>>();
  private readonly handled: BoundedMap<Outcome>;
  private readonly failures: BoundedMap<number>;
  private readonly stopping = new AbortController();
  private readonly aborting = new AbortController();

  constructor(
    private readonly api: BotApi,
    private readonly settings: EngineSettings,
  ) {
    this.events = new Lanes(settings.concurrency);
    this.urgent = new Lanes(settings.concurrency);
    this.handled = new BoundedMap(settings.remember);
    this.failures = new BoundedMap(settings.remember);
  }

  /**
   * Handles an activity. Never rejects. Waits for an activity that is already being handled instead
   * of handling it twice.
   */
  async handle(activity: Activity, sender: AnswerSender): Promise<Outcome> {
    const { key } = activity;
    const known = this.handled.get(key);
    if (known) return known;
    const running = this.running.get(key);
    if (running) return (await running).outcome;
    this.settings.arrived(activity);
    const run = this.run(activity, sender);
    this.running.set(key, run);
    const { outcome } = await run;
    this.running.delete(key);
    if (outcome !== 'again') {
      this.handled.set(key, outcome);
      this.failures.delete(key);
    }
    return outcome;
  }

  /** Number of activities being handled or waiting. */
  get size(): number {
    return this.running.size;
  }

  /**
   * Starts nothing new and waits for running handlers.
   * @param withinMs after this time, aborts the signal of those still running
   * @returns whether all ended in time
   */
  async stop(withinMs: number): Promise<boolean> {
    this.stopping.abort();
    const settled = Promise.allSettled(this.running.values()).then(() => true);
    const inTime = await Promise.race([settled, sleep(withinMs, this.aborting.signal).then(() => false)]);
    this.aborting.abort();
    return inTime;
  }

  private async run(activity: Activity, sender: AnswerSender): Promise<Result> {
    const { api, settings } = this;
    let leave: () => void = () => undefined;
    const late = new LateAnswers(api, activity, sender.canRespond);
    const responder = new Responder(activity, sender, late, () => leave());
    const stopWatch = this.watch(activity, sender, responder);
    try {
      const outcome = await this.lanesOf(activity).run(this.laneOf(activity), (next) => {
        leave = next;
        // The time limit has already passed while waiting.
        if (responder.isReleased) leave();
        return this.attempts({ activity, responder, signal: this.aborting.signal }, sender);
      });
      return { outcome, responder };
    } catch (error) {
      settings.log(`could not handle ${activity.type} ${activity.key}`, error);
      return { outcome: 'again', responder };
    } finally {
      stopWatch();
    }
  }

  /**
   * Starts the time limit for the first answer at the arrival, even if the activity still waits for
   * its lane.
   */
  private watch({ type, key }: Activity, { answerWithinMs }: AnswerSender, responder: Responder): () => void {
    if (answerWithinMs === undefined) return () => undefined;
    const timer = setTimeout(() => {
      responder
        .deadlinePassed()
        .catch((error) => this.settings.log(`no answer to ${type} ${key} in time`, error));
    }, answerWithinMs);
    return () => clearTimeout(timer);
  }

  private async attempts(attempt: Attempt, sender: AnswerSender): Promise<Outcome> {
    const { settings } = this;
    let isHandled = false;
    for (let failures = 0; ; failures += 1) {
      if (this.stopping.signal.aborted && !isHandled) return 'again';
      try {
        if (!isHandled) await settings.handle(attempt);
        isHandled = true;
        await attempt.responder.finish();
        return 'done';
      } catch (error) {
        const verdict = this.decide(error, attempt.activity, sender);
        if (verdict === 'drop') return this.drop(error, attempt, sender);
        if (verdict === 'leave') return 'again';
        await sleep(settings.pause(failures, retryAfterOf(error)), this.stopping.signal);
        if (this.stopping.signal.aborted) return 'again';
        if (!isHandled) attempt.responder.restart();
      }
    }
  }

  private decide(
    error: unknown,
    { key, type }: Activity,
    { retries }: AnswerSender,
  ): 'drop' | 'leave' | 'again' {
    const { settings, failures } = this;
    if (this.aborting.signal.aborted) return 'leave';
    if (isOutage(error)) {
      settings.log(`${type} ${key} waits until the server is back`, error);
      return retries === 'here' ? 'again' : 'leave';
    }
    // Retrying cannot fix missing permissions.
    if ((error as { status?: unknown } | null)?.status === 403) return 'drop';
    const count = (failures.get(key) ?? 0) + 1;
    failures.set(key, count);
    if (retries === 'none' || error instanceof TooLate || count >= settings.tries) return 'drop';
    settings.log(`the handler of ${type} ${key} failed, ${count} of ${settings.tries} tries`, error);
    return retries === 'here' ? 'again' : 'leave';
  }

  /**
   * Drops an activity, so that it does not block others. An answer sent by `onError` becomes its
   * answer.
   */
  private async drop(error: unknown, attempt: Attempt, { canRespond }: AnswerSender): Promise<Outcome> {
    const { activity, responder } = attempt;
    this.settings.log(droppedText(activity), error);
    responder.restart();
    try {
      await this.settings.onError(error, attempt);
      // Without an answer a callback fails, so that the person learns of it. A form elsewhere would
      // keep waiting for one.
      if (responder.hasAnswer || canRespond) await responder.finish();
    } catch (another) {
      this.settings.log(`${droppedText(activity)}, and onError failed`, another);
    }
    return 'dropped';
  }

  private lanesOf({ kind }: Activity): Lanes {
    return kind === 'event' ? this.events : this.urgent;
  }

  private laneOf(activity: Activity): string | null {
    return activity.kind === 'options' || isStop(activity) ? null : this.settings.order(activity);
  }
}

function retryAfterOf(error: unknown): number {
  const { retryAfterMs } = error as { retryAfterMs?: unknown };
  return typeof retryAfterMs === 'number' ? retryAfterMs : 0;
}

/** Default order: one lane per conversation. */
export const byConversation = ({ conversationId }: Activity): string | null => conversationId || null;
