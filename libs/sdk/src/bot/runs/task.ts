import { sleep } from '../engine/outages.js';
import type { BotApi } from '../bot-api.js';

/** The fields of an execution task used here. */
export interface TaskRecord {
  widget_id: string;
  status: string;
  sequence: number;
  closed_at: string | null;
}

/** The visible parts of a task. */
export interface TaskChange {
  title?: string;
  description?: string;
  public_text?: string;
}

const POLL_INTERVAL_MS = 2000;

/** A task that people follow and finally accept or reject (docs/execution-tasks.md). */
export class Task {
  constructor(
    private readonly api: BotApi,
    private record: TaskRecord,
  ) {}

  get widgetId(): string {
    return this.record.widget_id;
  }

  /** Status as of the last request. */
  get status(): string {
    return this.record.status;
  }

  /** Updates the task. `blocked` means that it cannot continue. */
  update(change: TaskChange & { status?: 'open' | 'in_progress' | 'blocked' | 'completed' }): Promise<void> {
    return this.change({ action: 'update', ...change });
  }

  /** Completes the task, so that people can review it. */
  complete(change: TaskChange = {}): Promise<void> {
    return this.change({ action: 'complete', ...change });
  }

  /** Marks the task as failed. */
  fail(change: TaskChange = {}): Promise<void> {
    return this.change({ action: 'fail', ...change });
  }

  async cancel(): Promise<void> {
    await this.change({ action: 'cancel' });
  }

  /**
   * Waits until a person accepts or rejects the task, or it ends another way. Polls every two
   * seconds.
   * @returns `accepted`, `rejected`, `cancelled` or `closed`; undefined when the signal aborted
   * first
   */
  async review(signal: AbortSignal): Promise<string | undefined> {
    while (!signal.aborted) {
      const { execution_task: task } = await this.api.call<{ execution_task: TaskRecord }>('GET', this.path);
      this.record = task;
      if (task.closed_at !== null) return task.status;
      await sleep(POLL_INTERVAL_MS, signal);
    }
    return undefined;
  }

  /**
   * Applies a change. If the task has changed in the meantime, retries on its current state.
   * @throws when the task has ended
   */
  private async change(change: object): Promise<void> {
    for (;;) {
      try {
        const body = { ...change, sequence: this.record.sequence };
        const changed = await this.api.call<{ execution_task: TaskRecord }>('PATCH', this.path, { body });
        this.record = changed.execution_task;
        return;
      } catch (error) {
        if ((error as { code?: unknown }).code !== 'stale_sequence') throw error;
        const now = await this.api.call<{ execution_task: TaskRecord }>('GET', this.path);
        this.record = now.execution_task;
      }
    }
  }

  private get path(): string {
    return `/api/v1/bot/execution_tasks/${this.widgetId}`;
  }
}
