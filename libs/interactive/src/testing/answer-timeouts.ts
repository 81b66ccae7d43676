import type { INestApplicationContext } from '@nestjs/common';
import { AnswerWaits } from '@tieline/bots';
import { CallbackClient } from '@tieline/egress';
import type { RowWaits } from '@tieline/live';
import { ChoiceAnswers } from '../choices/choice-answers.js';

/** Longer than a busy machine takes. The maximum of CALLBACK_TIMEOUT_MS. */
export const LONG_MS = 60_000;

/** Milliseconds; undefined means the product's own time. */
interface Times {
  /** Timeout of callbacks. */
  callbackMs: number | undefined;
  /** How long a person waits for an answer over a socket, or for choices. */
  waitMs: number | undefined;
}

/**
 * Changes how long an application waits for bots. By default it waits for {@link LONG_MS}, so that
 * an answer arrives in time on a busy machine. Start the application with CALLBACK_TIMEOUT_MS set
 * to {@link LONG_MS}.
 */
export class AnswerTimeouts {
  private times: Times = { callbackMs: LONG_MS, waitMs: LONG_MS };

  constructor({ app }: { app: INestApplicationContext }) {
    this.changeCallbacks(app.get(CallbackClient, { strict: false }));
    this.changeWaits(app.get(AnswerWaits, { strict: false }));
    this.changeRowWaits(app.get(ChoiceAnswers, { strict: false }));
  }

  /** Runs `work` with these times. */
  async during<T>(times: Partial<Times>, work: () => Promise<T>): Promise<T> {
    const before = this.times;
    this.times = { ...before, ...times };
    try {
      return await work();
    } finally {
      this.times = before;
    }
  }

  private changeCallbacks(client: CallbackClient): void {
    const { attempt } = client;
    client.attempt = (callback) => {
      const { callbackMs } = this.times;
      return attempt.call(
        client,
        callbackMs === undefined ? callback : { ...callback, timeoutMs: callbackMs },
      );
    };
  }

  private changeWaits(waits: AnswerWaits): void {
    const { begin } = waits;
    waits.begin = async (tx, awaited, botId) => {
      const hasBegun = await begin.call(waits, tx, awaited, botId);
      const { waitMs } = this.times;
      if (hasBegun && waitMs !== undefined)
        await tx.query(
          `UPDATE answer_waits SET waits_until = clock_timestamp() + $3 * interval '1 millisecond'
            WHERE space_id = $1 AND id = $2`,
          [awaited.spaceId, awaited.id, waitMs],
        );
      return hasBegun;
    };
    this.changeRowWaits(waits);
  }

  private changeRowWaits(owner: object): void {
    const { waits } = owner as { waits: RowWaits };
    const { find } = waits;
    waits.find = (id, ms, look) => find.call(waits, id, this.times.waitMs ?? ms, look) as never;
  }
}
