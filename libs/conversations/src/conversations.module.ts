import { Module } from '@nestjs/common';
import { ChannelsController } from './history/channels.controller.js';
import { ConversationsClientController } from './conversations.client-controller.js';
import { DirectClientController } from './dm/direct.client-controller.js';
import { MessagesModule } from './messages/messages.module.js';
import { MessagesClientController } from './messages/messages.client-controller.js';

/** Conversations, members, direct chats, messages, reactions and history over HTTP. Live streams: ClientStreamModule. */
@Module({
  imports: [MessagesModule],
  controllers: [
    ConversationsClientController,
    DirectClientController,
    MessagesClientController,
    ChannelsController,
  ],
})
export class ConversationsModule {}
