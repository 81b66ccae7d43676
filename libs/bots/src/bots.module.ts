import { Module } from '@nestjs/common';
import { AccessModule, BusModule } from '@tieline/live';
import { RateLimitModule } from '@tieline/rate-limit';
import { HttpModule } from '@tieline/platform/http';
import { EgressModule } from '@tieline/egress';
import { SigningModule } from '@tieline/signing';
import { DatabaseModule } from '@tieline/platform/database';
import { BotRateSettings } from '@tieline/conversations';
import { BotDirectoryModule } from './accounts/bot-directory.js';
import { BotTokens } from './accounts/bot-tokens.js';
import { BotsAdminController } from './accounts/bots.admin-controller.js';
import { MeController } from './me/me.controller.js';
import { BotCallbacksAdminController } from './callbacks/callbacks.admin-controller.js';
import { BotLimitSettings, PollSettings } from './bots.settings.js';
import { BotConversationsController } from './conversations/conversations.controller.js';
import { ConversationMembersClientController } from './conversations/members/members.client-controller.js';
import { BotMembersController } from './conversations/members/members.controller.js';
import { DmController } from './dm/dm.controller.js';
import { DmStreamModule } from './dm-stream/dm-stream.module.js';
import { EventsController } from './events/events.controller.js';
import { SentEventsAdminController } from './poll/events/sent-events.admin-controller.js';
import { MembersOfSpaceClientController } from './members/members.client-controller.js';
import { PollPositions } from './poll/poll-positions.js';
import { PollWaiters } from './poll/poll-waiters.js';
import { BotDeliveriesAdminController } from './push/deliveries/deliveries.admin-controller.js';
import { SocketModule } from './socket/socket.module.js';
import { BotUsersController } from './users/users.controller.js';
import { WebhookController } from './push/webhook/webhook.controller.js';

/** Bot tokens, the bots' own settings and directory, and the ways in which events reach bots. */
@Module({
  imports: [
    DatabaseModule,
    RateLimitModule,
    SigningModule,
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
    BotMembersController,
    ConversationMembersClientController,
    MembersOfSpaceClientController,
    BotUsersController,
    DmController,
    WebhookController,
    EventsController,
  ],
  providers: [BotTokens, PollPositions, PollWaiters, PollSettings, BotRateSettings],
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
  providers: [BotLimitSettings],
})
export class BotsAdminModule {}
