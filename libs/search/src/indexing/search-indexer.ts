import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { Loop } from '@tieline/background';
import { OutboxRelay } from '@tieline/delivery';
import { Db } from '@tieline/platform/database';
import { LOGGER } from '@tieline/platform/observability';
import type { Logger } from 'pino';
import { indexEarlierMessages, indexMissedMessages } from './index-earlier-messages.js';
import { listBucketWords, spacesToList } from './list-bucket-words.js';
import { SearchPlanner } from './search-planner.js';

/** Interval at which new spaces and unfinished ones are looked for. */
const SWEEP_MS = 30_000;
const RETRY_MS = 5_000;
/** Delay after an event, so that events are indexed together. */
const FLUSH_MS = 300;
/** Pause between two batches of earlier messages, so that requests come first. */
const BATCH_PAUSE_MS = 10;

/** Keeps the index up to date, in the worker that relays. */
@Injectable()
export class SearchIndexer implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  private readonly catchingUp = new Loop(() => this.catchUp(), {
    everyMs: SWEEP_MS,
    retryMs: RETRY_MS,
    failed: (error) =>
      this.logger.error({ part: 'search', err: error }, 'earlier messages could not be indexed'),
  });
  private readonly flushing = new Loop(
    () => this.planner.flush(this.db, this.isCurrent && !this.isRecovering),
    {
      lingerMs: FLUSH_MS,
      retryMs: RETRY_MS,
      failed: (error) => this.logger.error({ part: 'search', err: error }, 'messages could not be indexed'),
    },
  );
  private readonly planner = new SearchPlanner(
    () => this.flushing.wake(),
    () => (this.isCurrent = false),
    (spaceIds) => spaceIds.forEach((id) => this.filled.add(id)),
  );
  /** Spaces with full buckets whose words are not listed yet. */
  private readonly filled = new Set<string>();
  /** Whether all that earlier relays planned is indexed. */
  private isCurrent = false;
  private isRecovering = false;

  constructor(
    private readonly db: Db,
    private readonly relay: OutboxRelay,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.relay.subscribe(this.planner);
  }

  onApplicationBootstrap(): void {
    this.catchingUp.start();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.catchingUp.stop(), this.flushing.stop()]);
  }

  /** Resolves when what the relay planned so far is indexed. */
  async flush(): Promise<void> {
    await this.relay.drain();
    this.flushing.wake();
    await this.flushing.drain();
  }

  /**
   * Indexes messages that are older than the index. Only the relaying process does: an older
   * program that still relays would leave the messages of that time out.
   */
  async catchUp(): Promise<void> {
    if (!this.relay.leading) {
      this.isCurrent = false;
      return;
    }
    if (!this.isCurrent) {
      // Before the read: events can be missed while it runs.
      this.isCurrent = true;
      await this.recover().catch((error: unknown) => {
        this.isCurrent = false;
        throw error;
      });
    }
    const mayContinue = async (): Promise<boolean> => {
      await new Promise((resolve) => setTimeout(resolve, BATCH_PAUSE_MS));
      return this.relay.leading && !this.catchingUp.stopped;
    };
    await indexEarlierMessages(this.db, mayContinue);
    for (const spaceId of this.filled) {
      if (!(await listBucketWords(this.db, spaceId, mayContinue))) return;
      this.filled.delete(spaceId);
    }
  }

  /** Does what the worker that relayed before may have left. */
  private async recover(): Promise<void> {
    this.isRecovering = true;
    await indexMissedMessages(this.db).finally(() => (this.isRecovering = false));
    for (const spaceId of await spacesToList(this.db)) this.filled.add(spaceId);
  }
}
