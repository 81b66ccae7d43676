import { Module } from '@nestjs/common';
import { HttpModule } from '@tieline/platform/http';
import { DatabaseModule } from '@tieline/platform/database';
import { HistoryController } from './history/messages-history.controller.js';
import { ConversationsClientController } from './channels/conversations.client-controller.js';
import { DmClientController } from './dm/dm.client-controller.js';
import { MessagesModule } from './messages/messages.module.js';
import { MessagesClientController } from './messages/messages.client-controller.js';

/** Conversations, members, direct chats, messages, reactions and history over HTTP. Live streams: ClientStreamModule. */
@Module({
  imports: [DatabaseModule, HttpModule, MessagesModule],
  controllers: [
    ConversationsClientController,
    DmClientController,
    MessagesClientController,
    HistoryController,
  ],
})
export class ConversationsModule {}
