import type { ServerResponse } from 'node:http';
import { KeyedSemaphore } from '@tieline/background';
import { rateLimited } from '../api-error.js';

/**
 * Calls `release` when the whole response was handed to the network or its connection is gone.
 */
function releaseAfter(response: ServerResponse, release: () => void): void {
  // The client left during authentication, so 'close' was already emitted.
  if (response.closed || response.destroyed) release();
  else response.once('finish', release).once('close', release);
}

/**
 * Limits the concurrent requests per key in this process. A slot is held until the answer was sent,
 * so a client that does not read its answers gets no further ones.
 */
export class Slots {
  private readonly semaphore: KeyedSemaphore;

  /** @param limit per key */
  constructor(limit: number) {
    this.semaphore = new KeyedSemaphore(limit);
  }

  /** Takes a slot until `response` was sent. @throws 429 when there is none */
  enter(key: string, response: ServerResponse): void {
    const release = this.semaphore.tryAcquire(key);
    if (!release) throw rateLimited(1);
    releaseAfter(response, release);
  }

  /**
   * Like {@link enter}, but waits up to `patienceMs` for a slot. @throws 429 when none was free
   * until then
   */
  async enterInTurn(key: string, response: ServerResponse, patienceMs: number): Promise<void> {
    const release = await this.semaphore.acquire(key, patienceMs).catch(() => {
      throw rateLimited(1);
    });
    releaseAfter(response, release);
  }
}
