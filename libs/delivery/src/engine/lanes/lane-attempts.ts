import type { ClaimedDelivery, PreparedDelivery, Result } from '../delivery.types.js';
import type { AttemptStarter } from './attempt-starter.js';
import type { LaneParts } from './lane-parts.js';

/**
 * Leases older than this are renewed before sending. The server ends the session of a worker that
 * is silent for six seconds, and its leases then go to others.
 */
const FRESH_MS = 5_000;
/** How often an attempt begins whose connection is not ready within that time. */
const MAX_TRIES = 2;

/** What a lane does when an attempt gets on. */
export interface AttemptObserver {
  /** The attempt has ended and its result is not yet written. */
  attempted(result: Result): void;
  /** The result is written. */
  settled(result: Result): void;
  /** The target can get another attempt. Called once per delivery. */
  targetFreed(delivery: ClaimedDelivery): void;
  /** The delivery is done, whatever happened. Called once per delivery, after `targetFreed`. */
  placeFreed(delivery: ClaimedDelivery): void;
}

/** Prepares, sends and settles claimed deliveries. */
export class LaneAttempts {
  constructor(
    private readonly parts: Pick<LaneParts, 'prepare' | 'renew' | 'settle' | 'failed'>,
    private readonly starter: AttemptStarter,
    private readonly observer: AttemptObserver,
  ) {}

  /**
   * Runs the attempts of a batch. Resolves when all are settled and never rejects.
   * @param askedAt when the claim was sent, from which the leases count
   * @param onStarted called once all attempts have started
   */
  async run(
    batch: ClaimedDelivery[],
    askedAt: number,
    onStarted?: () => void,
    prepare = this.parts.prepare,
  ): Promise<void> {
    const prepared = await prepare(batch).catch((error: unknown) => {
      // Nothing was sent. The leases expire, and the deliveries are claimed again.
      this.parts.failed(error);
      for (const one of batch) this.observer.targetFreed(one);
      for (const one of batch) this.observer.placeFreed(one);
      return [];
    });
    const running = await this.startAll(prepared, askedAt);
    onStarted?.();
    await Promise.all(running);
  }

  /** Resolves with the running attempts, once all of them have started. */
  private startAll(prepared: PreparedDelivery[], askedAt: number): Promise<Promise<void>[]> {
    return new Promise((resolve) => {
      const running: Promise<void>[] = [];
      const start = (one: PreparedDelivery): void => {
        running.push(this.process(one, askedAt));
        if (running.length === prepared.length) resolve(running);
      };
      if (prepared.length === 0) resolve(running);
      this.starter.add(prepared.map((one) => ({ spaceId: one.delivery.spaceId, start: () => start(one) })));
    });
  }

  private async process({ delivery, attempt }: PreparedDelivery, askedAt: number): Promise<void> {
    try {
      const result = await this.attemptIfLeased(delivery, askedAt, attempt).finally(() =>
        this.observer.targetFreed(delivery),
      );
      if (!result) return;
      this.observer.attempted(result);
      await this.parts.settle(result);
      this.observer.settled(result);
    } catch (error) {
      // Its lease expires.
      this.parts.failed(error);
    } finally {
      this.observer.placeFreed(delivery);
    }
  }

  /**
   * Attempts a delivery only while it is leased. A worker that stood still must not send what
   * another worker has sent in the meantime: neither if it stood still before the attempt or during
   * the renewal, nor while the attempt waited for its connection. A connection that is too slow
   * twice fails the attempt.
   */
  private async attemptIfLeased(
    delivery: ClaimedDelivery,
    askedAt: number,
    attempt: PreparedDelivery['attempt'],
  ): Promise<Result | undefined> {
    let since = askedAt;
    for (let tries = 1; ; tries += 1) {
      while (performance.now() - since >= FRESH_MS) {
        since = performance.now();
        if (!(await this.parts.renew(delivery))) return undefined;
      }
      const result = await attempt(since + FRESH_MS);
      if (!result.isTooLate || tries === MAX_TRIES) return result;
    }
  }
}
