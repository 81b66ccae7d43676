import { BullModule } from '@nestjs/bullmq';
import { Logger, Module } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import {
  ChatEventsModule,
  MemberEventSettings,
  PublicEvents,
  readContextMessages,
} from '@tieline/conversations';
import { Db, DatabaseModule } from '@tieline/platform/database';
import { DeliveryKinds, OutboxRelay, DeliverySettings, RelayModule, DeliveryModule } from '@tieline/delivery';
import { QueueWorkerModule } from '@tieline/queue';
import { SecretBox, SigningModule } from '@tieline/signing';
import type { ContextReader } from './planning/event-context.js';
import { OutgoingDeliveries } from './deliveries/outgoing-kind.js';
import { OutgoingWebhookSettings } from '../webhooks.settings.js';
import { AdvanceRecovery } from './recoveries/advance-recovery.js';
import { RECOVERIES, RecoveriesProcessor } from './recoveries/recoveries.processor.js';
import { OutgoingPlanner } from './planning/outgoing-planner.js';

/**
 * Plans outgoing webhook deliveries from the outbox and registers their kind with the delivery
 * engine. Runs in workers.
 */
@Module({
  imports: [
    DatabaseModule,
    SigningModule,
    RelayModule,
    ChatEventsModule,
    DeliveryModule,
    QueueWorkerModule,
    BullModule.registerQueue({ name: RECOVERIES }),
  ],
  providers: [
    AdvanceRecovery,
    RecoveriesProcessor,
    DeliverySettings,
    OutgoingWebhookSettings,
    MemberEventSettings,
  ],
})
export class OutgoingWebhooksWorkerModule implements OnModuleInit {
  private readonly logger = new Logger('OutgoingWebhooks');

  constructor(
    private readonly db: Db,
    private readonly settings: DeliverySettings,
    private readonly outgoing: OutgoingWebhookSettings,
    private readonly box: SecretBox,
    private readonly relay: OutboxRelay,
    private readonly kinds: DeliveryKinds,
    private readonly memberEvents: MemberEventSettings,
  ) {}

  onModuleInit(): void {
    const { autoDisableThreshold } = this.settings;
    this.kinds.register(new OutgoingDeliveries(this.box, autoDisableThreshold, this.outgoing.ratePerSecond));
    // Uses a separate connection, so that a failed read does not abort the planning transaction.
    const readContext: ContextReader = (requests) => readContextMessages(this.db, requests);
    const failed = (error: unknown): void =>
      this.logger.error(`could not read the context of events: ${String(error)}`);
    const events = new PublicEvents(this.memberEvents.emitted);
    this.relay.subscribe(new OutgoingPlanner(this.box, events, readContext, failed));
  }
}
