import { Module } from '@nestjs/common';
import { CallerRates, RateLimitModule } from '@tieline/rate-limit';
import { botWriteRule } from './access/bot-rates.js';
import { personWriteRule } from './access/person-rates.js';
import { RatesModule } from './access/rates.module.js';
import { BotRateSettings, PersonRateSettings } from './conversations.settings.js';
import { HttpModule } from '@tieline/platform/http';
import { DatabaseModule } from '@tieline/platform/database';
import { ChannelsModule } from './channels/channels.module.js';
import { OpenDirectConversation } from './dm/open-direct-conversation.js';
import { SendMessage } from './messages/send-message.js';
import { HistoryController } from './messages/history/messages-history.controller.js';
import { ConversationsClientController } from './channels/conversations.client-controller.js';
import { MembersClientController } from './members/members.client-controller.js';
import { DmClientController } from './dm/dm.client-controller.js';
import { MessagesModule } from './messages/messages.module.js';
import { MessagesClientController } from './messages/messages.client-controller.js';
import { NoticePlacesModule } from './notices/notice-places.js';
import { PinsClientController } from './messages/pins/pins.client-controller.js';
import { ReactionsClientController } from './messages/reactions/reactions.client-controller.js';
import { ShownMessages } from './messages/history/shown-messages.js';

/** Conversations, members, direct chats, messages, reactions, pins and history over HTTP. */
@Module({
  imports: [
    DatabaseModule,
    HttpModule,
    RateLimitModule,
    RatesModule,
    ChannelsModule,
    MessagesModule,
    NoticePlacesModule,
  ],
  controllers: [
    ConversationsClientController,
    MembersClientController,
    DmClientController,
    MessagesClientController,
    ReactionsClientController,
    PinsClientController,
    HistoryController,
  ],
  providers: [OpenDirectConversation, SendMessage, ShownMessages],
})
export class ConversationsModule {
  constructor(rates: CallerRates, people: PersonRateSettings, bots: BotRateSettings) {
    rates.register('user', (userId) => personWriteRule(people, userId));
    rates.register('bot', (botId) => botWriteRule(bots, botId));
  }
}
