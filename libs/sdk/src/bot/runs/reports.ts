import { isOutage, pauseAfter, sleep } from '../engine/outages.js';
import type { BotApi } from '../bot-api.js';

/** Statuses that a bot may report in any order. */
export type WorkingStatus =
  'accepted' | 'queued' | 'gathering_context' | 'using_tool' | 'waiting_tool' | 'waiting_user' | 'finalizing';

/** The fields of an agent run used for reporting. */
export interface RunRecord {
  id: string;
  message_id: string;
  status: string;
  sequence: number;
  is_terminal: boolean;
  public_text: string;
  /** Absent if no person has stopped the run. */
  stop_requested_at?: string;
}

interface Change {
  append?: string;
  public_text?: string;
}

/** Minimum interval between reports. The message changes no more often. */
const PAUSE_MS = 200;
const MAX_CHARACTERS = 4000;

/**
 * Sends the reports of a run in order, one request at a time. Merges changes that come in quick
 * succession. Repeats the last report after a period of silence, so that the run does not expire. A
 * repeat also detects a run that ended elsewhere.
 */
export class Reports {
  private latest = '';
  private reported = '';
  private current: string;
  private isDue = false;
  private sequence: number;
  private sending: Promise<void> = Promise.resolve();
  private isSending = false;
  private failed: unknown;
  private readonly ending = new AbortController();
  /** Aborted before the last report, which does not wait for the interval. */
  private readonly closing = new AbortController();
  private readonly pauseEnded = AbortSignal.any([this.ending.signal, this.closing.signal]);
  private readonly stopRequest = new AbortController();
  private readonly heartbeat: ReturnType<typeof setInterval>;
  /** A resumed run sends its whole text again. */
  private canAppend = false;

  constructor(
    private readonly api: BotApi,
    private readonly run: RunRecord,
    heartbeatMs: number,
  ) {
    this.current = run.status;
    this.sequence = run.sequence;
    this.canAppend = run.public_text === '';
    if (run.stop_requested_at !== undefined) this.requestStop();
    this.heartbeat = setInterval(() => this.wake(), heartbeatMs);
  }

  get text(): string {
    return this.latest;
  }

  /** Aborted when the run ended elsewhere. */
  get ended(): AbortSignal {
    return this.ending.signal;
  }

  /** Aborted when a person stopped the run. */
  get stopRequested(): AbortSignal {
    return this.stopRequest.signal;
  }

  status(status: WorkingStatus): void {
    this.current = status;
    this.wake();
  }

  append(text: string): void {
    if (this.current === 'accepted' || this.current === 'queued') this.current = 'finalizing';
    this.latest = cut(this.latest + text);
    this.wake();
  }

  replace(text: string): void {
    this.latest = cut(text);
    this.wake();
  }

  /** Sends pending changes before the last report. @throws the error of a failed report */
  async flush(): Promise<void> {
    this.closing.abort();
    await this.sending;
    if (this.failed !== undefined && !this.ended.aborted) throw this.failed;
  }

  /** Sends the last report, unless the run ended elsewhere. */
  async finish(status: string, more: object): Promise<void> {
    clearInterval(this.heartbeat);
    this.closing.abort();
    await this.sending;
    if (this.ended.aborted) return;
    await this.patch({ status, ...more });
  }

  /** Marks the run as ended, here or elsewhere. */
  end(status: string): void {
    clearInterval(this.heartbeat);
    this.ending.abort(new Error(`the agent run is ${status}`));
  }

  /** Stops reporting and leaves the run unchanged. */
  stop(): void {
    clearInterval(this.heartbeat);
    this.ending.abort(new Error('the bot stops'));
  }

  /** Notes that a person stopped the run. */
  requestStop(): void {
    if (!this.stopRequested.aborted) this.stopRequest.abort(new Error('a person stopped the agent run'));
  }

  private wake(): void {
    this.isDue = true;
    if (this.isSending || this.ended.aborted) return;
    this.isSending = true;
    this.sending = this.send().finally(() => (this.isSending = false));
  }

  private async send(): Promise<void> {
    for (let failures = 0; this.isDue && !this.ended.aborted;) {
      this.isDue = false;
      const latest = this.latest;
      const change = this.changeTo(latest);
      try {
        await this.patch({ status: this.current, ...change });
        this.reported = latest;
        this.canAppend = true;
        failures = 0;
        await sleep(PAUSE_MS, this.pauseEnded);
      } catch (error) {
        this.isDue = isOutage(error);
        if (!this.isDue) this.failed = error;
        else await sleep(pauseAfter(failures++), this.ended);
      }
    }
  }

  private changeTo(latest: string): Change {
    if (latest === this.reported) return {};
    const isLonger = this.canAppend && latest.startsWith(this.reported);
    return isLonger ? { append: latest.slice(this.reported.length) } : { public_text: latest };
  }

  /**
   * Sends a change. If another process of the bot has reported in the meantime, continues after its
   * sequence number.
   */
  private async patch(change: object): Promise<void> {
    const path = `/api/v1/bot/agent_runs/${this.run.id}`;
    for (;;) {
      this.sequence += 1;
      try {
        const body = { ...change, sequence: this.sequence };
        const answer = await this.api.call<{ stop_requested?: boolean }>('PATCH', path, { body });
        if (answer.stop_requested) this.requestStop();
        return;
      } catch (error) {
        if ((error as { status?: unknown }).status !== 409) throw error;
        const { agent_run: now } = await this.api.call<{ agent_run: RunRecord }>('GET', path);
        if (now.is_terminal) return this.end(now.status);
        if (now.sequence < this.sequence) throw error;
        this.sequence = now.sequence;
        this.canAppend = false;
      }
    }
  }
}

const cut = (text: string): string => [...text].slice(0, MAX_CHARACTERS).join('');
