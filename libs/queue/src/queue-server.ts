import type { EventEmitter } from 'node:events';
import type { IQueueBackend, QueueBaseOptions } from 'bullmq';

/** Begins all keys. In braces, so that a Redis cluster keeps them on one node. */
export const PREFIX = '{tieline}';

/**
 * Purpose of a backend. Producers fail immediately while the server is unavailable, workers wait
 * for it.
 */
export type BackendUse = 'producer' | 'worker';

/**
 * The server that BullMQ keeps its jobs on: Redis or PostgreSQL. It stands where BullMQ's options
 * have their `connection`, so that every queue and worker of an app shares its connections; nothing
 * else knows which of the two it is.
 */
export abstract class QueueServer {
  /**
   * Resolves once the server has answered for the first time; undefined when it was closed before.
   */
  abstract readonly reached: Promise<true | undefined>;

  /** Returns the backend for a queue or worker of BullMQ. */
  abstract backend(queue: string, options: QueueBaseOptions, use: BackendUse): IQueueBackend;

  /** Resolves when the server answers, throws otherwise. */
  abstract check(): Promise<void>;

  /** Ends all connections, a second after being asked at the latest. */
  abstract close(): Promise<void>;
}

/**
 * The server reports lost connections itself, once. Queues share the connections and report
 * nothing: BullMQ would pass the error to each of them, and a queue without listeners prints it to
 * the console.
 */
export function withoutErrors<Backend extends IQueueBackend & EventEmitter>(backend: Backend): Backend {
  const emit = backend.emit.bind(backend);
  backend.emit = (event: string, ...rest: unknown[]): boolean => event === 'error' || emit(event, ...rest);
  return backend;
}
