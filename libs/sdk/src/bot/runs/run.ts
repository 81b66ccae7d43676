import type { BotApi } from '../bot-api.js';
import { Reports } from './reports.js';
import type { RunRecord, WorkingStatus } from './reports.js';
import type { Task } from './task.js';

/** A running agent run. People see its reports in its message (docs/agent-runs.md). */
export class Run {
  /** Aborted when a person stopped the run, the run ended elsewhere or the bot stops. */
  readonly signal: AbortSignal;
  private fileIds: readonly string[] = [];

  constructor(
    private readonly api: BotApi,
    private readonly record: RunRecord,
    private readonly reports: Reports,
    stopping: AbortSignal,
    /** The run's task, if it has one. */
    readonly task: Task | undefined,
  ) {
    this.signal = AbortSignal.any([stopping, reports.ended, reports.stopRequested]);
  }

  get id(): string {
    return this.record.id;
  }

  /** The message that shows the run. */
  get messageId(): string {
    return this.record.message_id;
  }

  /** Whether a person asked the bot to stop. Known with the response to the next report. */
  get isStopRequested(): boolean {
    return this.reports.stopRequested.aborted;
  }

  /** The answer so far. */
  get publicText(): string {
    return this.reports.text;
  }

  /** Reports a status. If statuses change quickly, only the last one is shown. */
  status(status: WorkingStatus): void {
    this.reports.status(status);
  }

  /** Appends to the answer, such as the output of a model. Text beyond 4000 characters is cut. */
  append(text: string): void {
    this.reports.append(text);
  }

  /** Replaces the answer. */
  text(text: string): void {
    this.reports.replace(text);
  }

  /** Attaches files to the final answer: at most 15, already confirmed. */
  attach(...fileIds: string[]): void {
    this.fileIds = [...this.fileIds, ...fileIds];
  }

  /** Cancels the run. Its message shows that it was stopped. */
  async cancel(): Promise<void> {
    await this.reports.flush();
    await this.api.call('POST', `/api/v1/bot/agent_runs/${this.id}/cancel`);
    this.reports.end('cancelled');
  }

  /** Completes the run with its answer. */
  async complete(): Promise<void> {
    await this.reports.finish('completed', {
      // An answer is required.
      public_text: this.publicText.trim() === '' ? '✓' : this.publicText,
      ...(this.fileIds.length > 0 && { attachments: this.fileIds.map((id) => ({ file_id: id })) }),
    });
  }

  /** Marks the run as failed. Everyone can read the code. */
  async fail(code: string): Promise<void> {
    await this.reports.finish('failed', { error_code: code.replace(/\W+/g, '_').slice(0, 64) || 'error' });
  }
}
