import { Module } from '@nestjs/common';
import { ChatEventsModule, ShownMessages } from '@tieline/conversations';
import { RelayModule } from '@tieline/delivery';
import { DatabaseModule } from '@tieline/platform/database';
import { HttpModule } from '@tieline/platform/http';
import { SearchConversationsClientController } from './conversations/search-conversations.client-controller.js';
import { SearchIndexer } from './indexing/search-indexer.js';
import { MessageSearcher } from './messages/message-searcher.js';
import { SearchMessagesClientController } from './messages/search-messages.client-controller.js';
import { SearchMessagesController } from './messages/search-messages.controller.js';
import { SearchPeopleClientController } from './people/search-people.client-controller.js';

/** For the api: search of people and bots. */
@Module({
  imports: [DatabaseModule, HttpModule],
  controllers: [
    SearchMessagesController,
    SearchMessagesClientController,
    SearchPeopleClientController,
    SearchConversationsClientController,
  ],
  providers: [MessageSearcher, ShownMessages],
})
export class SearchModule {}

/** For workers: keeps the index up to date. */
@Module({ imports: [DatabaseModule, RelayModule, ChatEventsModule], providers: [SearchIndexer] })
export class SearchWorkerModule {}
