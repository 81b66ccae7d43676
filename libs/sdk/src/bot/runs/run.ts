import type { BotApi } from '../bot-api.js';
import { Reports } from './reports.js';
import type { RunRecord, WorkingStatus } from './reports.js';
import type { Task } from './task.js';

/** An agent run under way: people see each report in its message (docs/agent-runs.md). */
export class Run {
  /** Given when the run ended elsewhere, or the bot stops: what the run does can end. */
  readonly signal: AbortSignal;
  private fileIds: readonly string[] = [];

  constructor(
    private readonly api: BotApi,
    private readonly record: RunRecord,
    private readonly reports: Reports,
    stopping: AbortSignal,
    /** The task that people see and review, if the run was begun with one. */
    readonly task: Task | undefined,
  ) {
    this.signal = AbortSignal.any([stopping, reports.ended]);
  }

  get id(): string {
    return this.record.id;
  }

  /** The message that shows it. */
  get messageId(): string {
    return this.record.message_id;
  }

  /** What the answer says so far. */
  get publicText(): string {
    return this.reports.text;
  }

  /** Says what is going on. Of statuses in quick succession the last is shown. */
  status(status: WorkingStatus): void {
    this.reports.status(status);
  }

  /** Adds to the answer, as it comes from a model. What goes beyond 4000 characters is left out. */
  append(text: string): void {
    this.reports.append(text);
  }

  /** Replaces the answer. */
  text(text: string): void {
    this.reports.replace(text);
  }

  /** Files for the end: 15 at most, ready ones. */
  attach(...fileIds: string[]): void {
    this.fileIds = [...this.fileIds, ...fileIds];
  }

  /** Gives up: the message says that it was stopped. */
  async cancel(): Promise<void> {
    await this.reports.flush();
    await this.api.call('POST', `/api/v1/bot/agent_runs/${this.id}/cancel`);
    this.reports.end('cancelled');
  }

  /** Ends it with its answer. */
  async complete(): Promise<void> {
    await this.reports.finish('completed', {
      // An answer is required.
      public_text: this.publicText.trim() === '' ? '✓' : this.publicText,
      ...(this.fileIds.length > 0 && { attachments: this.fileIds.map((id) => ({ file_id: id })) }),
    });
  }

  /** Ends it as failed. Everybody can read the code. */
  async fail(code: string): Promise<void> {
    await this.reports.finish('failed', { error_code: code.replace(/\W+/g, '_').slice(0, 64) || 'error' });
  }
}
