import { Module } from '@nestjs/common';
import { HttpModule } from '@tieline/platform/http';
import { DatabaseModule } from '@tieline/platform/database';
import { ChannelsController } from './history/channels.controller.js';
import { ConversationsClientController } from './channels/conversations.client-controller.js';
import { DirectClientController } from './dm/direct.client-controller.js';
import { MessagesModule } from './messages/messages.module.js';
import { MessagesClientController } from './messages/messages.client-controller.js';

/** Conversations, members, direct chats, messages, reactions and history over HTTP. Live streams: ClientStreamModule. */
@Module({
  imports: [DatabaseModule, HttpModule, MessagesModule],
  controllers: [
    ConversationsClientController,
    DirectClientController,
    MessagesClientController,
    ChannelsController,
  ],
})
export class ConversationsModule {}
