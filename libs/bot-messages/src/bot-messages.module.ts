import { Module } from '@nestjs/common';
import { HttpModule } from '@tieline/platform/http';
import { DatabaseModule } from '@tieline/platform/database';
import { MessagesModule, RatesModule, ShownMessages } from '@tieline/conversations';
import { LiveEvents } from '@tieline/live-stream';
import { FileLookupModule } from '@tieline/files';
import { ComponentSigningModule, InteractiveSettings } from '@tieline/interactive';
import { BusModule } from '@tieline/live';
import { BotMessagesController } from './bot-messages.controller.js';
import { EditBotMessage } from './edit-bot-message.js';
import { EphemeralMessagesController } from './ephemeral/ephemeral.controller.js';
import { SendEphemeral } from './ephemeral/send-ephemeral.js';
import { DeleteBotMessage } from './message/delete-bot-message.js';
import { MessageController } from './message/message.controller.js';
import { MessageFiles } from './message-files.js';
import { PinAsBot } from './pins/pin-as-bot.js';
import { BotPinsController } from './pins/pins.controller.js';
import { BotReactionsController } from './reactions/reactions.controller.js';
import { ReplyToSlash } from './replies/reply-to-slash.js';
import { ScheduleMessage } from './scheduled-messages/schedule-message.js';
import { ScheduledMessagesController } from './scheduled-messages/scheduled-messages.controller.js';
import { SendBotMessage } from './send-bot-message.js';
import { BotThreadsController } from './threads/threads.controller.js';

/** Messages of bots: sending, reading, editing and deleting, reactions and pins. */
@Module({
  imports: [
    DatabaseModule,
    RatesModule,
    BusModule,
    HttpModule,
    MessagesModule,
    ComponentSigningModule,
    FileLookupModule,
  ],
  controllers: [
    BotMessagesController,
    EphemeralMessagesController,
    MessageController,
    BotReactionsController,
    BotPinsController,
    BotThreadsController,
    ScheduledMessagesController,
  ],
  providers: [
    SendBotMessage,
    ScheduleMessage,
    ReplyToSlash,
    EditBotMessage,
    DeleteBotMessage,
    PinAsBot,
    SendEphemeral,
    MessageFiles,
    InteractiveSettings,
    LiveEvents,
    ShownMessages,
  ],
  exports: [SendBotMessage, EditBotMessage, ScheduleMessage, SendEphemeral],
})
export class BotMessagesModule {}
