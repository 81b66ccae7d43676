import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ReceivedRequest, ReceiverAnswer } from './receiver.js';

const LOADER = new URL('../../../../tools/jest/typescript-loader.mjs', import.meta.url).href;

/**
 * A receiver with a thread of its own: when a request came, and how soon it is answered, does not
 * depend on what else the test's process has to do. Made by {@link startThreadReceiver}.
 */
export class ThreadReceiver {
  /** In the order of arrival; `at` is the thread's time. */
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

  /** Once this resolves, requests get this. Call it again only then. */
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
 * Starts a receiver on a free port, in a thread; it answers 200 until told otherwise. `close()` it
 * in the end.
 */
export async function startThreadReceiver(): Promise<ThreadReceiver> {
  const thread = new Worker(new URL('receiver-thread.ts', import.meta.url), {
    execArgv: ['--import', LOADER],
  });
  const [url] = (await once(thread, 'message')) as [string];
  return new ThreadReceiver(thread, url);
}
