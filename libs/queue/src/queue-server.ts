import type { EventEmitter } from 'node:events';
import type { IQueueBackend, QueueBaseOptions } from 'bullmq';

/** Begins all keys. In braces, so that a Redis cluster keeps them on one node. */
export const PREFIX = '{tieline}';

/**
 * What a backend is made for. Producers fail at once while the server is away, workers wait for it.
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

  /** What a queue or a worker of BullMQ talks through. */
  abstract backend(queue: string, options: QueueBaseOptions, use: BackendUse): IQueueBackend;

  /** Resolves when the server answers, throws otherwise. */
  abstract check(): Promise<void>;

  /** Ends all connections, a second after being asked at the latest. */
  abstract close(): Promise<void>;
}

/**
 * The server tells of lost connections itself, once: the queues on it, which share them, say
 * nothing. BullMQ would hand the error to each of them, and a queue that nobody listens to writes
 * it to the console.
 */
export function withoutErrors<Backend extends IQueueBackend & EventEmitter>(backend: Backend): Backend {
  const emit = backend.emit.bind(backend);
  backend.emit = (event: string, ...rest: unknown[]): boolean => event === 'error' || emit(event, ...rest);
  return backend;
}
