import { Injectable } from '@nestjs/common';
import type { OnModuleDestroy } from '@nestjs/common';
import { Loop } from '@tieline/background';
import { Db } from '@tieline/platform/database';
import { Metrics } from '@tieline/platform/observability';
import { v7 as uuidv7 } from 'uuid';
import { KEPT_REQUESTS, LOG_REQUESTS, TRIM_REQUESTS } from './incoming-requests.statements.js';
import { keptBody, KEPT_BODY_BYTES, REDACTION_SLACK_BYTES } from './redact.js';

/** Entries are written together, so often at most. */
const WRITE_EVERY_MS = 100;
/** Entries of all webhooks that may wait to be written; further ones are lost. */
const MAX_WAITING = 2000;

/** One request to a webhook, for its admins. */
export interface LoggedRequest {
  spaceId: string;
  webhookId: string;
  /** Redacted from the body, never stored. */
  token: string;
  address: string;
  status: number;
  /** Which check refused it; empty when it was accepted. */
  reason: string;
  notes: readonly string[];
  body: Buffer;
  messageId?: string | undefined;
}

interface Entry extends LoggedRequest {
  id: string;
  at: Date;
}

/**
 * The last requests of each webhook. No request waits for it: entries gather for a moment and are
 * written together, no more per webhook than are kept anyway, so that a flood costs next to
 * nothing. It only helps admins: while the database is away, entries are lost.
 */
@Injectable()
export class RequestLog implements OnModuleDestroy {
  private waiting = new Map<string, Entry[]>();
  private count = 0;
  private readonly writing = new Loop(() => this.writeAll(), {
    lingerMs: WRITE_EVERY_MS,
    failed: () => this.metrics.failure('incoming_request_log'),
  });

  constructor(
    private readonly db: Db,
    private readonly metrics: Metrics,
  ) {}

  /** Notes a request; never throws, never waits. */
  add(request: LoggedRequest): void {
    const entries = this.waiting.get(request.webhookId) ?? [];
    if (entries.length === KEPT_REQUESTS) this.count -= Number(entries.shift() !== undefined);
    if (this.count >= MAX_WAITING) return this.metrics.failure('incoming_request_log');
    // A copy of the part that may be kept: the whole would stay in memory until it is written.
    entries.push({
      ...request,
      body: Buffer.from(request.body.subarray(0, KEPT_BODY_BYTES + REDACTION_SLACK_BYTES)),
      id: uuidv7(),
      at: new Date(),
    });
    this.waiting.set(request.webhookId, entries);
    this.count += 1;
    this.writing.wake();
  }

  /** Resolves once all that this process has noted so far is written, or lost. */
  flush(): Promise<void> {
    return this.writing.drain();
  }

  async onModuleDestroy(): Promise<void> {
    await this.flush();
  }

  private async writeAll(): Promise<void> {
    const entries = [...this.waiting.values()].flat();
    this.waiting = new Map();
    this.count = 0;
    if (entries.length > 0) await this.write(entries);
  }

  private async write(entries: Entry[]): Promise<void> {
    const column = <T>(pick: (entry: Entry) => T): T[] => entries.map(pick);
    await this.db.query(LOG_REQUESTS, [
      column((e) => e.spaceId),
      column((e) => e.webhookId),
      column((e) => e.id),
      column((e) => e.at),
      column((e) => e.address),
      column((e) => e.status),
      column((e) => e.reason),
      column((e) => JSON.stringify(e.notes)),
      column((e) => keptBody(e.body, e.token)),
      column((e) => e.messageId ?? null),
    ]);
    const hooks = [...new Map(entries.map(({ webhookId, spaceId }) => [webhookId, spaceId]))];
    await this.db.query(TRIM_REQUESTS, [hooks.map(([, spaceId]) => spaceId), hooks.map(([id]) => id)]);
  }
}
