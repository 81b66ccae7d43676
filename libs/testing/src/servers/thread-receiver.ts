import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ReceivedRequest, ReceiverAnswer } from './receiver.js';

const LOADER = new URL('../../../../tools/jest/typescript-loader.mjs', import.meta.url).href;

/**
 * A receiver in a separate thread, so that arrival and response times do not depend on the test
 * process. Created by {@link startThreadReceiver}.
 */
export class ThreadReceiver {
  /** In order of arrival; `at` is the time in the thread. */
  readonly requests: ReceivedRequest[] = [];
  private noted: () => void = () => undefined;

  constructor(
    private readonly thread: Worker,
    /** Without a trailing slash. */
    readonly url: string,
  ) {
    thread.on('message', (message: ReceivedRequest | 'noted') => {
      if (message === 'noted') this.noted();
      else this.requests.push({ ...message, body: Buffer.from(message.body) });
    });
  }

  /** Sets the response for later requests. Wait for it before calling it again. */
  async respond(answer: ReceiverAnswer): Promise<void> {
    const noted = new Promise<void>((resolve) => (this.noted = resolve));
    this.thread.postMessage(answer);
    await noted;
  }

  /** Cuts every connection and stops listening. */
  async close(): Promise<void> {
    await this.thread.terminate();
  }
}

/**
 * Starts a receiver on a free port in a thread. By default it responds with 200. `close()` it at
 * the end.
 */
export async function startThreadReceiver(): Promise<ThreadReceiver> {
  const thread = new Worker(new URL('receiver-thread.ts', import.meta.url), {
    execArgv: ['--import', LOADER],
  });
  const [url] = (await once(thread, 'message')) as [string];
  return new ThreadReceiver(thread, url);
}
