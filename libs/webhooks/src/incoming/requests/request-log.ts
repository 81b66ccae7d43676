import { Injectable } from '@nestjs/common';
import type { OnModuleDestroy } from '@nestjs/common';
import { Loop } from '@tieline/background';
import { Db } from '@tieline/platform/database';
import { Metrics } from '@tieline/platform/observability';
import { uuidv7 } from 'uuidv7';
import { MAX_LOGGED_REQUESTS, LOG_REQUESTS, TRIM_REQUESTS } from './incoming-requests.statements.js';
import { redactBody, MAX_LOGGED_BODY_BYTES, REDACTION_SLACK_BYTES } from './redact.js';

/** Interval between writes. Entries in between are written together. */
const WRITE_EVERY_MS = 100;
/** Maximum number of unwritten entries of all webhooks. Further ones are lost. */
const MAX_PENDING = 2000;
/**
 * Probability that an entry deletes the old ones of its webhook. Deleting reads a hundred entries,
 * so a webhook has up to about a hundred more than are shown.
 */
const TRIM_PROBABILITY = 0.1;

/** A request to a webhook, as shown to admins. */
export interface LoggedRequest {
  spaceId: string;
  webhookId: string;
  /** Redacted from the body, never stored. */
  token: string;
  address: string;
  status: number;
  /** The check that failed. Empty if the request was accepted. */
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
 * Logs the last requests of each webhook in the background. Entries are collected for 100 ms and
 * written together, at most 100 per webhook, so that a flood of requests costs little. Entries are
 * lost while the database is unavailable.
 */
@Injectable()
export class RequestLog implements OnModuleDestroy {
  private pending = new Map<string, Entry[]>();
  private count = 0;
  private readonly writing = new Loop(() => this.writeAll(), {
    lingerMs: WRITE_EVERY_MS,
    failed: () => this.metrics.failure('incoming_request_log'),
  });

  constructor(
    private readonly db: Db,
    private readonly metrics: Metrics,
  ) {}

  /** Logs a request. Never throws or blocks. */
  add(request: LoggedRequest): void {
    const entries = this.pending.get(request.webhookId) ?? [];
    if (entries.length === MAX_LOGGED_REQUESTS) this.count -= Number(entries.shift() !== undefined);
    if (this.count >= MAX_PENDING) return this.metrics.failure('incoming_request_log');
    // Copy the part to log. A slice would keep the whole body in memory until it is written.
    entries.push({
      ...request,
      body: Buffer.from(request.body.subarray(0, MAX_LOGGED_BODY_BYTES + REDACTION_SLACK_BYTES)),
      id: uuidv7(),
      at: new Date(),
    });
    this.pending.set(request.webhookId, entries);
    this.count += 1;
    this.writing.wake();
  }

  /** Resolves when all entries so far are written or lost. */
  flush(): Promise<void> {
    return this.writing.drain();
  }

  async onModuleDestroy(): Promise<void> {
    await this.flush();
  }

  private async writeAll(): Promise<void> {
    const entries = [...this.pending.values()].flat();
    this.pending = new Map();
    this.count = 0;
    if (entries.length > 0) await this.write(entries);
  }

  private async write(entries: Entry[]): Promise<void> {
    const column = <T>(pick: (entry: Entry) => T): T[] => entries.map(pick);
    await this.db.query(LOG_REQUESTS, {
      spaceIds: column((e) => e.spaceId),
      webhookIds: column((e) => e.webhookId),
      ids: column((e) => e.id),
      times: column((e) => e.at),
      addresses: column((e) => e.address),
      statuses: column((e) => e.status),
      reasons: column((e) => e.reason),
      notes: column((e) => JSON.stringify(e.notes)),
      bodies: column((e) => redactBody(e.body, e.token)),
      messageIds: column((e) => e.messageId ?? null),
    });
    const trimming = entries.filter(() => Math.random() < TRIM_PROBABILITY);
    const hooks = [...new Map(trimming.map(({ webhookId, spaceId }) => [webhookId, spaceId]))];
    if (hooks.length > 0)
      await this.db.query(TRIM_REQUESTS, [hooks.map(([, spaceId]) => spaceId), hooks.map(([id]) => id)]);
  }
}
