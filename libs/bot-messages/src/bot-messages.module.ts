import { Module } from '@nestjs/common';
import { FilesModule } from '@tieline/files';
import { BotMessagesController } from './bot-messages.controller.js';
import { MessageFiles } from './message-files.js';
import { MessageMetadata, PollModeMetadata } from './message-metadata.js';
import { NoSlashReplies, SlashReplies } from './slash-replies.js';

/** Sending and editing messages by bots; what interactive and slash have to say comes in through the ports. */
@Module({
  imports: [FilesModule],
  controllers: [BotMessagesController],
  providers: [
    { provide: MessageMetadata, useClass: PollModeMetadata },
    MessageFiles,
    { provide: SlashReplies, useClass: NoSlashReplies },
  ],
})
export class BotMessagesModule {}
