import { Module } from '@nestjs/common';
import { FileLookupModule } from '@tieline/files';
import { ComponentSigningModule } from '@tieline/interactive';
import { BotMessagesController } from './bot-messages.controller.js';
import { MessageFiles } from './message-files.js';
import { MessageMetadata, SignedMetadata } from './message-metadata.js';
import { SlashReplies, TriggerReplies } from './replies/slash-replies.js';

/** Sending and editing messages by bots; what interactive, files and slash have to say comes in through the ports. */
@Module({
  imports: [ComponentSigningModule, FileLookupModule],
  controllers: [BotMessagesController],
  providers: [
    { provide: MessageMetadata, useClass: SignedMetadata },
    MessageFiles,
    { provide: SlashReplies, useClass: TriggerReplies },
  ],
})
export class BotMessagesModule {}
