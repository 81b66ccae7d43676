import type { Answer } from '../answers/answer.js';
import type { AnswerSender, SettleReason } from '../answers/answer-sender.js';
import type { LateAnswers } from '../answers/late-answers.js';
import type { CursorStore } from '../../client/reading/cursor-ledger.js';
import { toActivity } from '../activity.js';
import type { Activity } from '../activity.js';
import type { Connector, ConnectorDependencies } from './connector.js';

/** The next activity of a conversation waits at most this long for the previous one. */
const ANSWER_WITHIN_MS = 2500;
/** Maximum number of records read ahead of the oldest unfinished one. */
const AHEAD = 1000;

/** Reads the queue (docs/polling.md). Its cursor follows the finished records. */
export class Poll implements Connector {
  private readonly closing = new AbortController();
  private reading: Promise<void> = Promise.resolve();
  private acknowledging: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly services: ConnectorDependencies,
    private readonly cursors: CursorStore,
  ) {}

  async start(): Promise<void> {
    const cursor = await this.cursors.load();
    this.services.log(`polling ${cursor ? `after ${cursor}` : 'from the beginning'}`);
    this.reading = this.read();
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.reading;
  }

  async end(): Promise<void> {
    await this.acknowledging;
  }

  private async read(): Promise<void> {
    const { client, engine, log, fail } = this.services;
    const onTrouble = (error: unknown): void => log('could not read the queue', error);
    const options = { cursors: this.cursors, signal: this.closing.signal, maxOpen: AHEAD, onTrouble };
    try {
      for await (const event of client.events<Record<string, unknown>>(options)) {
        const activity = toActivity(event.event_type, event.payload, event.event_id);
        void engine.handle(activity, new PollAnswerSender(activity)).then((outcome) => {
          // An unfinished record keeps the cursor, so it is read again after a restart.
          if (outcome !== 'again') this.acknowledging = event.ack();
        });
      }
    } catch (error) {
      fail(error);
    }
  }
}

/** Sends every answer as a request. No connection waits for it: the person was shown `queued`. */
class PollAnswerSender implements AnswerSender {
  readonly retries = 'here';
  readonly canRespond = true;
  readonly answerWithinMs: number | undefined;

  constructor(private readonly activity: Activity) {
    this.answerWithinMs = activity.kind === 'event' ? undefined : ANSWER_WITHIN_MS;
  }

  async settle(answer: Answer | undefined, why: SettleReason, late: LateAnswers): Promise<boolean> {
    // A submitted form stays locked until it is answered.
    const isLocked = why === 'end' && this.activity.kind === 'submit';
    const given = answer ?? (isLocked ? ({ noop: true } as const) : undefined);
    if (given) await late.send(given, `${this.activity.key}:0`);
    return given !== undefined || why === 'end';
  }
}
