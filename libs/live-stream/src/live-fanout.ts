import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { Bus } from '@tieline/live';
import { OutboxRelay } from '@tieline/delivery';
import type { OutboxRecord, OutboxSubscriber } from '@tieline/delivery';
import { publishLive } from './live-events.js';
import type { LiveMessage } from './live-events.js';
import { liveMessages } from './live-outbox.js';
import { chatLiveMessage } from './chat-live-messages.js';

/**
 * Publishes committed outbox events to the live streams, in outbox order, after each batch commits.
 * Stores nothing: after a crash, clients read the missed events from the message history.
 */
@Injectable()
export class LiveFanout implements OutboxSubscriber, OnModuleInit {
  readonly name = 'live';

  constructor(
    private readonly bus: Bus,
    private readonly relay: OutboxRelay,
  ) {}

  onModuleInit(): void {
    this.relay.subscribe(this);
  }

  async plan(): Promise<void> {
    // Nothing to store: see committed().
  }

  committed(records: OutboxRecord[]): void {
    for (const record of records) {
      const message = chatLiveMessage(record);
      if (message) this.publish(message);
      else for (const one of liveMessages(record)) this.publish(one);
    }
  }

  /**
   * Reports a gap in the events. The relay calls this when another relay has planned events in
   * between, or when the outcome of a commit is unknown: such events may never have been published.
   * Receivers read memberships again before they deliver further events.
   */
  reset(): void {
    this.publish({ to: 'everybody', gap: true });
  }

  private publish(message: LiveMessage): void {
    publishLive(this.bus, message);
  }
}
