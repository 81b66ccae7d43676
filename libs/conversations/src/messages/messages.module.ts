import { Module } from '@nestjs/common';
import { DatabaseModule } from '@tieline/platform/database';
import { MemberDirectory } from '../members/member-directory.js';
import { CreateMessage } from './create-message.js';
import { DeleteMessage } from './delete-message.js';
import { EditMessage } from './edit-message.js';
import { PinMessage } from './pins/pin-message.js';
import { PostMessage } from './posting/post-message.js';

/**
 * The services that write messages, for all libs. Libs above provide the ports `BotDirectory`,
 * `EditGuard`, `MessageAttachments` and `MessageFeedback` (ports/); a process without one of them
 * does not start.
 */
@Module({
  imports: [DatabaseModule],
  providers: [MemberDirectory, CreateMessage, PostMessage, EditMessage, DeleteMessage, PinMessage],
  exports: [MemberDirectory, CreateMessage, PostMessage, EditMessage, DeleteMessage, PinMessage],
})
export class MessagesModule {}
