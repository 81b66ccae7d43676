import { Module } from '@nestjs/common';
import { HttpModule } from '@tieline/platform/http';
import { RateLimitModule } from '@tieline/rate-limit';
import { DatabaseModule } from '@tieline/platform/database';
import { BotRateSettings, MessagesModule } from '@tieline/conversations';
import { FileLookupModule } from '@tieline/files';
import { ComponentSigningModule } from '@tieline/interactive';
import { BotMessagesController } from './bot-messages.controller.js';
import { MessageFiles } from './message-files.js';

/** Sending and editing messages by bots. */
@Module({
  imports: [
    DatabaseModule,
    RateLimitModule,
    HttpModule,
    MessagesModule,
    ComponentSigningModule,
    FileLookupModule,
  ],
  controllers: [BotMessagesController],
  providers: [MessageFiles, BotRateSettings],
})
export class BotMessagesModule {}
