import type { Signal } from '@tieline/background';
import { PostgresQueueBackend } from 'bullmq';
import type { QueueBaseOptions } from 'bullmq';
import type { SharedConnection } from './postgres-connection.js';

/** The longest wait for a job, in seconds. */
export const LONGEST_WAIT_S = 3_600;

/**
 * The backend of a worker that waits without statements. BullMQ's own asks twice before each wait
 * whether there is a job. Here a notification during the look ends the wait, and the look itself
 * returned the time of the next delayed job.
 */
export class PostgresWorkerBackend extends PostgresQueueBackend {
  private isDisconnected = false;

  constructor(
    connection: SharedConnection,
    queue: string,
    options: QueueBaseOptions,
    private readonly news: Signal,
  ) {
    super(connection, queue, options as never);
  }

  override get maximumBlockTimeout(): number {
    return LONGEST_WAIT_S;
  }

  override async waitForJob(seconds: number): ReturnType<PostgresQueueBackend['waitForJob']> {
    if (this.isDisconnected || !(await this.news.wait(seconds * 1000))) return null;
    return { member: this.queueName, score: 0 };
  }

  override async disconnectBlocking(): Promise<void> {
    this.isDisconnected = true;
    this.news.notify();
  }

  override async reconnectBlocking(): Promise<void> {
    this.isDisconnected = false;
  }
}
