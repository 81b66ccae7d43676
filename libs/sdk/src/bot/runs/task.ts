import { sleep } from '../engine/outages.js';
import type { BotApi } from '../bot-api.js';

/** The part of an execution task that matters here (contract, "execution_task object"). */
export interface TaskRecord {
  widget_id: string;
  status: string;
  sequence: number;
  closed_at: string | null;
}

/** What people see of a task. */
export interface TaskChange {
  title?: string;
  description?: string;
  public_text?: string;
}

const LOOK_EVERY_MS = 2000;

/** A task that people follow, and accept or reject in the end (docs/execution-tasks.md). */
export class Task {
  constructor(
    private readonly api: BotApi,
    private record: TaskRecord,
  ) {}

  get widgetId(): string {
    return this.record.widget_id;
  }

  /** As of the last change or look. */
  get status(): string {
    return this.record.status;
  }

  /** Says what is going on; with `blocked`, that it can't go on. */
  update(change: TaskChange & { status?: 'open' | 'in_progress' | 'blocked' | 'completed' }): Promise<void> {
    return this.change({ action: 'update', ...change });
  }

  /** It is done: people may review it. */
  complete(change: TaskChange = {}): Promise<void> {
    return this.change({ action: 'complete', ...change });
  }

  /** It can't go on. */
  fail(change: TaskChange = {}): Promise<void> {
    return this.change({ action: 'fail', ...change });
  }

  async cancel(): Promise<void> {
    await this.change({ action: 'cancel' });
  }

  /**
   * Waits until a person has accepted or rejected it, or it ended otherwise; asks every two
   * seconds.
   * @returns `accepted`, `rejected`, `cancelled` or `closed`; undefined when the signal was given
   * first
   */
  async review(signal: AbortSignal): Promise<string | undefined> {
    while (!signal.aborted) {
      const { execution_task: task } = await this.api.call<{ execution_task: TaskRecord }>('GET', this.path);
      this.record = task;
      if (task.closed_at !== null) return task.status;
      await sleep(LOOK_EVERY_MS, signal);
    }
    return undefined;
  }

  /**
   * People and runs change tasks, too: a change that came too late is made on what is there now.
   * @throws for a task that ended
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
