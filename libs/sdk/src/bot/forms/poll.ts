import type { Answer } from '../answers/answer.js';
import type { Door, Why } from '../answers/door.js';
import type { LateAnswers } from '../answers/late-answers.js';
import type { CursorStore } from '../../client/reading/cursor-ledger.js';
import { happeningOf } from '../happening.js';
import type { Happening } from '../happening.js';
import type { Form, FormParts } from './form.js';

/** So long the next click of a conversation waits for the one before. */
const PATIENCE_MS = 2500;
/** So many records may be read ahead of the oldest one that is not done. */
const AHEAD = 1000;

/** Reads the queue (docs/polling.md), and keeps its place behind what is done. */
export class Poll implements Form {
  private readonly closing = new AbortController();
  private reading: Promise<void> = Promise.resolve();
  private acknowledging: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly parts: FormParts,
    private readonly cursors: CursorStore,
  ) {}

  async start(): Promise<void> {
    const cursor = await this.cursors.load();
    this.parts.log(`polling ${cursor ? `behind ${cursor}` : 'from the beginning'}`);
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
    const { client, engine, log, fail } = this.parts;
    const onTrouble = (error: unknown): void => log('could not read the queue', error);
    const options = { cursors: this.cursors, signal: this.closing.signal, maxOpen: AHEAD, onTrouble };
    try {
      for await (const event of client.events<Record<string, unknown>>(options)) {
        const happening = happeningOf(event.event_type, event.payload, event.event_id);
        void engine.take(happening, new PollDoor(happening)).then((outcome) => {
          // What stays undone keeps the place: it comes again after a restart.
          if (outcome !== 'again') this.acknowledging = event.ack();
        });
      }
    } catch (error) {
      fail(error);
    }
  }
}

/** Every answer is a request. Nobody waits at a connection: the person was told `queued`. */
class PollDoor implements Door {
  readonly retries = 'here';
  readonly canRespond = true;
  readonly patienceMs: number | undefined;

  constructor(private readonly happening: Happening) {
    this.patienceMs = happening.kind === 'event' ? undefined : PATIENCE_MS;
  }

  async settle(answer: Answer | undefined, why: Why, late: LateAnswers): Promise<boolean> {
    // A submitted form stays locked until it is answered.
    const isLocked = why === 'end' && this.happening.kind === 'submit';
    const given = answer ?? (isLocked ? ({ noop: true } as const) : undefined);
    if (given) await late.send(given, `${this.happening.key}:0`);
    return given !== undefined || why === 'end';
  }
}
