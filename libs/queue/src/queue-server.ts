import type { EventEmitter } from 'node:events';
import type { IQueueBackend, QueueBaseOptions, WorkerOptions } from 'bullmq';

/** Prefix of all keys. In braces, so that a Redis cluster keeps them on one node. */
export const PREFIX = '{tieline}';

/**
 * The purpose of a backend. Producers fail immediately while the server is down, workers wait for
 * it.
 */
export type BackendUse = 'producer' | 'worker';

/**
 * The server on which BullMQ keeps its jobs: Redis or PostgreSQL. It takes the place of
 * `connection` in BullMQ's options, so that every queue and worker of an app shares its
 * connections. No other code knows which of the two it is.
 */
export abstract class QueueServer {
  /**
   * Resolves once the server has answered for the first time; undefined when it was closed before.
   */
  abstract readonly reached: Promise<true | undefined>;

  /** How workers on this server differ from {@link DUTY_OPTIONS}. */
  readonly workerOptions: Partial<WorkerOptions> = {};

  /** Returns the backend of a queue or worker of BullMQ. */
  abstract backend(queue: string, options: QueueBaseOptions, use: BackendUse): IQueueBackend;

  /** Resolves when the server answers, throws otherwise. */
  abstract check(): Promise<void>;

  /** Ends all connections within a second. */
  abstract close(): Promise<void>;
}

/**
 * The server reports lost connections itself, once; the queues that share them report nothing.
 * BullMQ would pass the error to each of them, and a queue without a listener writes it to the
 * console.
 */
export function withoutErrors<Backend extends IQueueBackend & EventEmitter>(backend: Backend): Backend {
  const emit = backend.emit.bind(backend);
  backend.emit = (event: string, ...rest: unknown[]): boolean => event === 'error' || emit(event, ...rest);
  return backend;
}
