import { Module } from '@nestjs/common';
import { HttpModule } from '@tieline/platform/http';
import { RateLimitModule } from '@tieline/rate-limit';
import { DatabaseModule } from '@tieline/platform/database';
import { BotRateSettings, MessagesModule } from '@tieline/conversations';
import { FileLookupModule } from '@tieline/files';
import { ComponentSigningModule } from '@tieline/interactive';
import { BotMessagesController } from './bot-messages.controller.js';
import { MessageController } from './message/message.controller.js';
import { MessageFiles } from './message-files.js';
import { BotReactionsController } from './reactions/reactions.controller.js';

/** Messages of bots: sending, reading, editing and deleting them, and reactions. */
@Module({
  imports: [
    DatabaseModule,
    RateLimitModule,
    HttpModule,
    MessagesModule,
    ComponentSigningModule,
    FileLookupModule,
  ],
  controllers: [BotMessagesController, MessageController, BotReactionsController],
  providers: [MessageFiles, BotRateSettings],
})
export class BotMessagesModule {}
