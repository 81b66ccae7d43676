import { Module } from '@nestjs/common';
import './accounts/bot-directory.js';
import { BotTokens } from './accounts/bot-tokens.js';
import { BotsAdminController } from './accounts/bots.admin-controller.js';
import { BotsController } from './accounts/bots.controller.js';
import { DmStreamModule } from './dm-stream/dm-stream.module.js';
import { PollEventsController } from './poll/poll-events.controller.js';
import { PollWaiters } from './poll/poll-waiters.js';
import './push/webhook-secret.js';

/** Bots' tokens, what bots do about themselves, and what comes to them. */
@Module({
  imports: [DmStreamModule],
  controllers: [BotsController, PollEventsController],
  providers: [BotTokens, PollWaiters],
})
export class BotsModule {}

/** The admin endpoints of this lib; mounted by `@tieline/admin`. */
@Module({ controllers: [BotsAdminController] })
export class BotsAdminModule {}
