import { Module } from '@nestjs/common';
import { HttpModule } from '@tieline/platform/http';
import { RateLimitModule } from '@tieline/rate-limit';
import { DatabaseModule } from '@tieline/platform/database';
import { BotRateSettings, MessagesModule, ShownMessages } from '@tieline/conversations';
import { FileLookupModule } from '@tieline/files';
import { ComponentSigningModule } from '@tieline/interactive';
import { BotMessagesController } from './bot-messages.controller.js';
import { MessageController } from './message/message.controller.js';
import { MessageFiles } from './message-files.js';
import { BotPinsController } from './pins/pins.controller.js';
import { BotReactionsController } from './reactions/reactions.controller.js';

/** Messages of bots: sending, reading, editing and deleting them, reactions and pins. */
@Module({
  imports: [
    DatabaseModule,
    RateLimitModule,
    HttpModule,
    MessagesModule,
    ComponentSigningModule,
    FileLookupModule,
  ],
  controllers: [BotMessagesController, MessageController, BotReactionsController, BotPinsController],
  providers: [MessageFiles, BotRateSettings, ShownMessages],
})
export class BotMessagesModule {}
