import { Global, Injectable, Module } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { PlatformSettings } from '@tieline/platform/config';
import { Db } from '@tieline/platform/database';
import { RELAY_EVENTS } from './relay-events.js';
import { OutboxRelay } from './outbox-relay.js';
import type { RelayEvents } from './outbox-relay.js';
import { OutboxWakeups } from './outbox-wakeups.js';
import { RelayLeadership } from './relay-leadership.js';

/** Runs the relay for as long as the worker lives. Subscribers register in `onModuleInit`. */
@Injectable()
class RelayRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private end: (() => void) | undefined;

  constructor(
    private readonly relay: OutboxRelay,
    private readonly wakeups: OutboxWakeups,
  ) {}

  onApplicationBootstrap(): void {
    this.end = this.wakeups.listen(() => this.relay.wake());
    this.relay.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.end?.();
    await this.relay.stop();
  }
}

/** In workers: provides the {@link OutboxRelay} for subscribers, and runs it. */
@Global()
@Module({
  providers: [
    {
      provide: OutboxRelay,
      inject: [Db, PlatformSettings, RELAY_EVENTS],
      useFactory: (db: Db, { databaseUrl }: PlatformSettings, events: RelayEvents) =>
        new OutboxRelay(db, new RelayLeadership(databaseUrl), events),
    },
    RelayRunner,
  ],
  exports: [OutboxRelay],
})
export class RelayModule {}
