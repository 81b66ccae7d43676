import { Module } from '@nestjs/common';
import { BotMessagesModule } from '@tieline/bot-messages';
import { RatesModule } from '@tieline/conversations';
import { DatabaseModule } from '@tieline/platform/database';
import { HttpModule, RestApi } from '@tieline/platform/http';
import { SlackCallers } from './dispatcher/callers.js';
import { SlackWebApi } from './dispatcher/web-api.js';
import { AuthMethods } from './methods/auth.methods.js';
import { ChatMethods } from './methods/chat.methods.js';
import { SlackPlaces } from './messages/places.js';
import { ConversationChangeMethods } from './methods/conversation-changes.methods.js';
import { METHOD_GROUPS, MethodRegistry } from './methods/method-registry.js';
import { SlackController } from './slack.controller.js';

/** Every family of methods. */
const GROUPS = [AuthMethods, ChatMethods, ConversationChangeMethods];

/** Slack's Web API, over the services and the REST API of this process. */
@Module({
  imports: [DatabaseModule, HttpModule, RatesModule, BotMessagesModule],
  controllers: [SlackController],
  providers: [
    MethodRegistry,
    RestApi,
    SlackCallers,
    SlackPlaces,
    SlackWebApi,
    ...GROUPS,
    { provide: METHOD_GROUPS, useFactory: (...groups: object[]) => groups, inject: GROUPS },
  ],
})
export class SlackSurfaceModule {}
