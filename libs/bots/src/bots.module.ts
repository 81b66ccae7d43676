import { Module } from '@nestjs/common';
import { AccessModule, BusModule } from '@tieline/live';
import { RateLimitModule } from '@tieline/rate-limit';
import { HttpModule } from '@tieline/platform/http';
import { EgressModule } from '@tieline/egress';
import { SigningModule } from '@tieline/signing';
import { DatabaseModule } from '@tieline/platform/database';
import { ChannelsModule, RatesModule } from '@tieline/conversations';
import { SpaceLimitSettings } from '@tieline/spaces';
import { BotDirectoryModule } from './accounts/bot-directory.js';
import { BotTokens } from './accounts/bot-tokens.js';
import { BotsAdminController } from './accounts/bots.admin-controller.js';
import { CreateBot } from './accounts/create-bot.js';
import { ResetBot } from './accounts/reset-bot.js';
import { UpdateBot } from './accounts/update-bot.js';
import { MeController } from './me/me.controller.js';
import { BotCallbacksAdminController } from './callbacks/callbacks.admin-controller.js';
import { PollSettings } from './bots.settings.js';
import { ChangeAsBot } from './conversations/change-as-bot.js';
import { BotConversationChangesController } from './conversations/conversation-changes.controller.js';
import { BotConversationsController } from './conversations/conversations.controller.js';
import { DmController } from './dm/dm.controller.js';
import { DmStreamModule } from './dm-stream/dm-stream.module.js';
import { EventsController } from './events/events.controller.js';
import { SentEventsAdminController } from './poll/events/sent-events.admin-controller.js';
import { PollPositions } from './poll/poll-positions.js';
import { PollWaiters } from './poll/poll-waiters.js';
import { BotDeliveriesAdminController } from './push/deliveries/deliveries.admin-controller.js';
import { SocketModule } from './socket/socket.module.js';
import { RotateWebhookSecret } from './push/webhook/rotate-webhook-secret.js';
import { WebhookController } from './push/webhook/webhook.controller.js';

/** Bot tokens, the bots' own settings, and the ways in which events reach bots. */
@Module({
  imports: [
    DatabaseModule,
    RateLimitModule,
    RatesModule,
    ChannelsModule,
    SigningModule,
    EgressModule,
    BusModule,
    AccessModule,
    HttpModule,
    BotDirectoryModule,
    DmStreamModule,
    SocketModule,
  ],
  controllers: [
    MeController,
    BotConversationsController,
    BotConversationChangesController,
    DmController,
    WebhookController,
    EventsController,
  ],
  providers: [
    BotTokens,
    ChangeAsBot,
    UpdateBot,
    RotateWebhookSecret,
    PollPositions,
    PollWaiters,
    PollSettings,
  ],
  exports: [ChangeAsBot],
})
export class BotsModule {}

/** The admin endpoints of this lib; mounted by `@tieline/admin`. */
@Module({
  imports: [DatabaseModule, SigningModule, EgressModule, HttpModule],
  controllers: [
    BotsAdminController,
    BotDeliveriesAdminController,
    BotCallbacksAdminController,
    SentEventsAdminController,
  ],
  providers: [CreateBot, UpdateBot, ResetBot, SpaceLimitSettings],
})
export class BotsAdminModule {}
