import { Module } from '@nestjs/common';
import { BotRateSettings, MessagesModule } from '@tieline/conversations';
import { FileLookupModule } from '@tieline/files';
import { ComponentSigningModule } from '@tieline/interactive';
import { BotMessagesController } from './bot-messages.controller.js';
import { MessageFiles } from './message-files.js';

/** Sending and editing messages by bots. */
@Module({
  imports: [MessagesModule, ComponentSigningModule, FileLookupModule],
  controllers: [BotMessagesController],
  providers: [MessageFiles, BotRateSettings],
})
export class BotMessagesModule {}
