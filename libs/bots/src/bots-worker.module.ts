import { BullModule } from '@nestjs/bullmq';
import { Logger, Module } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { ChatEventsModule, MemberEventSettings, PublicEvents } from '@tieline/conversations';
import { DatabaseModule } from '@tieline/platform/database';
import { AccessModule, Bus, BusModule } from '@tieline/live';
import { DeliveryKinds, OutboxRelay, DeliverySettings, RelayModule, DeliveryModule } from '@tieline/delivery';
import { QueueWorkerModule } from '@tieline/queue';
import { SecretBox, SigningModule } from '@tieline/signing';
import { BotDirectoryModule } from './accounts/bot-directory.js';
import {
  CALLBACK_PARTITIONS,
  CallbackPartitionsProcessor,
} from './callbacks/callback-partitions.processor.js';
import { DmInboxSettings, PollSettings } from './bots.settings.js';
import { DM_INBOXES, DmInboxesProcessor } from './dm-stream/dm-inboxes.processor.js';
import { SlackEvents } from './events/slack-events.js';
import { BotEventsPlanner } from './events/bot-events-planner.js';
import { POLL_PARTITIONS, PollPartitionsProcessor } from './poll/poll-partitions.processor.js';
import { PushDeliveries } from './push/push-kind.js';

/**
 * For workers: plans the events of bots, registers their pushes with the delivery engine, and trims
 * the poll queue and the inboxes.
 */
@Module({
  imports: [
    DatabaseModule,
    BusModule,
    AccessModule,
    SigningModule,
    RelayModule,
    ChatEventsModule,
    DeliveryModule,
    BotDirectoryModule,
    QueueWorkerModule,
    BullModule.registerQueue({ name: DM_INBOXES }, { name: POLL_PARTITIONS }, { name: CALLBACK_PARTITIONS }),
  ],
  providers: [
    DmInboxesProcessor,
    PollPartitionsProcessor,
    CallbackPartitionsProcessor,
    DeliverySettings,
    DmInboxSettings,
    PollSettings,
    MemberEventSettings,
  ],
})
export class BotsWorkerModule implements OnModuleInit {
  private readonly logger = new Logger('Bots');

  constructor(
    private readonly bus: Bus,
    private readonly settings: DeliverySettings,
    private readonly box: SecretBox,
    private readonly relay: OutboxRelay,
    private readonly kinds: DeliveryKinds,
    private readonly memberEvents: MemberEventSettings,
    private readonly slackEvents: SlackEvents,
  ) {}

  onModuleInit(): void {
    const unreadable = (botId: string, reason: string): void =>
      this.logger.error(`the webhook secret of bot ${botId} cannot be decrypted: ${reason}`);
    this.kinds.register(new PushDeliveries(this.box, this.settings.autoDisableThreshold, unreadable));
    const events = new PublicEvents(this.memberEvents.emitted);
    this.relay.subscribe(new BotEventsPlanner(this.bus, events, this.slackEvents));
  }
}
