import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { Bus } from '@tieline/live';
import { OutboxRelays } from '@tieline/delivery';
import type { OutboxRecord, OutboxSubscriber } from '@tieline/delivery';
import { publishLive } from './live-events.js';
import type { LiveMessage } from './live-events.js';
import { FeatureLiveSource } from '../ports/feature-live-source.js';
import { chatLiveMessage } from './chat-live-messages.js';

/**
 * The relay's subscriber that feeds the streams: after each batch's commit it publishes, in the
 * order of the outbox, what concerns them. It writes nothing: what is lost with a process is in
 * history.
 */
@Injectable()
export class LiveFanout implements OutboxSubscriber, OnModuleInit {
  readonly name = 'live';

  constructor(
    private readonly bus: Bus,
    private readonly relays: OutboxRelays,
    private readonly features: FeatureLiveSource,
  ) {}

  onModuleInit(): void {
    this.relays.subscribe(() => this);
  }

  async plan(): Promise<void> {
    // Nothing to remember: see committed().
  }

  committed(records: OutboxRecord[]): void {
    for (const record of records) {
      const message = chatLiveMessage(record) ?? this.features.toLive(record);
      if (message) this.publish(message);
    }
  }

  /**
   * Another relay worked in between, or a commit's answer was lost: events may have left the outbox
   * that nobody told. Receivers read memberships again before they pass on what follows.
   */
  reset(): void {
    this.publish({ to: 'everybody', gap: true });
  }

  private publish(message: LiveMessage): void {
    publishLive(this.bus, message);
  }
}
