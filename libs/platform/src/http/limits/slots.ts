import type { ServerResponse } from 'node:http';
import { rateLimited } from '../api-error.js';

/**
 * Calls `done` once, when the whole response was handed to the network or its connection is gone.
 */
function onceAnswered(response: ServerResponse, done: () => void): void {
  let isDone = false;
  const end = (): void => {
    if (!isDone) done();
    isDone = true;
  };
  // The client left during authentication, so 'close' was already emitted.
  if (response.closed || response.destroyed) end();
  else response.once('finish', end).once('close', end);
}

/**
 * Limits the concurrent requests per key in this process. A slot is held until the answer was sent,
 * so a client that does not read its answers gets no further ones.
 */
export class Slots {
  private readonly taken = new Map<string, number>();
  private readonly waiting = new Map<string, (() => void)[]>();

  /** @param limit per key */
  constructor(private readonly limit: number) {}

  /** Takes a slot until `response` was sent. @throws 429 when there is none */
  enter(key: string, response: ServerResponse): void {
    const count = this.taken.get(key) ?? 0;
    if (count >= this.limit) throw rateLimited(1);
    this.taken.set(key, count + 1);
    onceAnswered(response, () => this.pass(key));
  }

  /**
   * Like {@link enter}, but waits up to `patienceMs` for a slot. @throws 429 when none was free
   * until then
   */
  async enterInTurn(key: string, response: ServerResponse, patienceMs: number): Promise<void> {
    if ((this.taken.get(key) ?? 0) < this.limit) return this.enter(key, response);
    if (!(await this.turn(key, patienceMs))) throw rateLimited(1);
    onceAnswered(response, () => this.pass(key));
  }

  /** @returns whether a slot was handed over in time */
  private turn(key: string, patienceMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const line = this.waiting.get(key) ?? [];
      this.waiting.set(key, line);
      const next = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      const timer = setTimeout(() => {
        line.splice(line.indexOf(next), 1);
        if (line.length === 0) this.waiting.delete(key);
        resolve(false);
      }, patienceMs);
      line.push(next);
    });
  }

  /** Hands the slot to the longest waiter. */
  private pass(key: string): void {
    const line = this.waiting.get(key);
    const next = line?.shift();
    if (line?.length === 0) this.waiting.delete(key);
    if (next) return next();
    const left = (this.taken.get(key) ?? 1) - 1;
    if (left > 0) this.taken.set(key, left);
    else this.taken.delete(key);
  }
}
