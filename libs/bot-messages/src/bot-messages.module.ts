import { Module } from '@nestjs/common';
import { BotMessagesController } from './bot-messages.controller.js';
import { MessageFiles, NoMessageFiles } from './message-files.js';
import { MessageMetadata, PollModeMetadata } from './message-metadata.js';
import { NoSlashReplies, SlashReplies } from './slash-replies.js';

/** Sending and editing messages by bots; what files, interactive and slash have to say comes in through the three ports. */
@Module({
  controllers: [BotMessagesController],
  providers: [
    { provide: MessageMetadata, useClass: PollModeMetadata },
    { provide: MessageFiles, useClass: NoMessageFiles },
    { provide: SlashReplies, useClass: NoSlashReplies },
  ],
})
export class BotMessagesModule {}
