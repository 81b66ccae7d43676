import type { Db } from '@tieline/platform/database';
import { storedAttemptHeaders } from '../../log/attempt-headers.js';
import type { DeliveryKinds } from '../delivery-kinds.js';
import type { Result } from '../delivery.types.js';
import type { DeadLetterCounter } from './count-dead-letters.js';
import type { Line } from './lines.js';
import { settleSuccesses } from './settle-successes.statements.js';

/** Settles batches in which every attempt succeeded: one statement and its implicit transaction. */
export class Successes {
  private prepared: ReturnType<typeof settleSuccesses> | undefined;

  constructor(private readonly kinds: DeliveryKinds) {}

  /** Returns whether the batch changes nothing but what this class writes. */
  covers(results: readonly Result[]): boolean {
    return results.every(
      ({ delivery, outcome, attempt, health }) =>
        outcome.kind === 'delivered' &&
        attempt !== undefined &&
        health === 'alive' &&
        this.kinds.find(delivery.kind)?.deadLetters !== undefined,
    );
  }

  /**
   * Writes the results.
   * @returns the lines in which a delivery ended
   */
  async settle(db: Db, results: readonly Result[]): Promise<Line[]> {
    const attempts = results.flatMap(({ attempt }) => attempt ?? []);
    const headersOf = ({ delivery, attempt }: Result): string | null =>
      attempt ? storedAttemptHeaders(delivery.id, attempt) : null;
    const ended = await db.query(this.statement, {
      ids: results.map(({ delivery }) => delivery.id),
      spaceIds: results.map(({ delivery }) => delivery.spaceId),
      leases: results.map(({ delivery }) => delivery.lease),
      attempts: results.map(({ delivery }) => delivery.attempts + 1),
      times: attempts.map(({ at }) => at),
      statusCodes: attempts.map(({ statusCode }) => statusCode),
      durations: attempts.map(({ durationMs }) => durationMs),
      responses: attempts.map(({ response }) => response),
      headers: results.map(headersOf),
    });
    return ended.flatMap(({ orderKey: key, spaceId, targetId }) =>
      key === null ? [] : [{ spaceId, targetId, key }],
    );
  }

  /** Built when the first batch is settled, because kinds register when the process starts. */
  private get statement(): ReturnType<typeof settleSuccesses> {
    const counters = this.kinds.all.flatMap(({ name, deadLetters }): [string, DeadLetterCounter][] =>
      deadLetters ? [[name, deadLetters]] : [],
    );
    return (this.prepared ??= settleSuccesses(new Map(counters)));
  }
}
