import { isOutage, pauseAfter, sleep } from '../engine/outages.js';
import type { BotApi } from '../bot-api.js';

/** What a bot may report in any order. */
export type WorkingStatus =
  'accepted' | 'queued' | 'gathering_context' | 'using_tool' | 'waiting_tool' | 'waiting_user' | 'finalizing';

/** The part of an agent run that reporting needs (contract, "agent_run object"). */
export interface RunRecord {
  id: string;
  message_id: string;
  status: string;
  sequence: number;
  is_terminal: boolean;
  public_text: string;
}

interface Change {
  append?: string;
  public_text?: string;
}

/** At most ten reports a second: the rate of changes. */
const PAUSE_MS = 100;
const MAX_CHARACTERS = 4000;

/**
 * What a run reports, in order, one request at a time: pieces that come in quick succession travel
 * together. Without a report for a while the last one is repeated, so that a run that works does
 * not expire; a run that ended elsewhere is noticed then, too.
 */
export class Reports {
  private said = '';
  private shown = '';
  private current: string;
  private isDue = false;
  private sequence: number;
  private sending: Promise<void> = Promise.resolve();
  private isSending = false;
  private failed: unknown;
  private readonly ending = new AbortController();
  private readonly heartbeat: ReturnType<typeof setInterval>;
  /** A run that is taken up again says everything anew. */
  private isFresh = false;

  constructor(
    private readonly api: BotApi,
    private readonly run: RunRecord,
    heartbeatMs: number,
  ) {
    this.current = run.status;
    this.sequence = run.sequence;
    this.isFresh = run.public_text === '';
    this.heartbeat = setInterval(() => this.wake(), heartbeatMs);
  }

  get text(): string {
    return this.said;
  }

  /** Given when the run ended elsewhere. */
  get ended(): AbortSignal {
    return this.ending.signal;
  }

  status(status: WorkingStatus): void {
    this.current = status;
    this.wake();
  }

  append(text: string): void {
    if (this.current === 'accepted' || this.current === 'queued') this.current = 'finalizing';
    this.said = cut(this.said + text);
    this.wake();
  }

  replace(text: string): void {
    this.said = cut(text);
    this.wake();
  }

  /** Waits until everything is reported. @throws what a report failed with */
  async flush(): Promise<void> {
    await this.sending;
    if (this.failed !== undefined && !this.ended.aborted) throw this.failed;
  }

  /** The last report. A run that ended elsewhere stays as it ended. */
  async finish(status: string, more: object): Promise<void> {
    clearInterval(this.heartbeat);
    await this.sending;
    if (this.ended.aborted) return;
    await this.patch({ status, ...more });
  }

  /** It ended, here or elsewhere. */
  end(status: string): void {
    clearInterval(this.heartbeat);
    this.ending.abort(new Error(`the agent run is ${status}`));
  }

  /** Nothing more is reported; the run stays as it is. */
  leave(): void {
    clearInterval(this.heartbeat);
    this.ending.abort(new Error('the bot stops'));
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
      const said = this.said;
      const change = this.changeTo(said);
      try {
        await this.patch({ status: this.current, ...change });
        this.shown = said;
        this.isFresh = true;
        failures = 0;
        if (this.isDue) await sleep(PAUSE_MS, this.ended);
      } catch (error) {
        this.isDue = isOutage(error);
        if (!this.isDue) this.failed = error;
        else await sleep(pauseAfter(failures++), this.ended);
      }
    }
  }

  private changeTo(said: string): Change {
    if (said === this.shown) return {};
    const isLonger = this.isFresh && said.startsWith(this.shown);
    return isLonger ? { append: said.slice(this.shown.length) } : { public_text: said };
  }

  /**
   * Another process of the bot may have reported, too: then this one goes on behind it, as long as
   * the run works.
   */
  private async patch(change: object): Promise<void> {
    const path = `/api/v1/bot/agent_runs/${this.run.id}`;
    for (;;) {
      this.sequence += 1;
      try {
        await this.api.call('PATCH', path, { body: { ...change, sequence: this.sequence } });
        return;
      } catch (error) {
        if ((error as { status?: unknown }).status !== 409) throw error;
        const { agent_run: now } = await this.api.call<{ agent_run: RunRecord }>('GET', path);
        if (now.is_terminal) return this.end(now.status);
        if (now.sequence < this.sequence) throw error;
        this.sequence = now.sequence;
        this.isFresh = false;
      }
    }
  }
}

const cut = (text: string): string => [...text].slice(0, MAX_CHARACTERS).join('');
