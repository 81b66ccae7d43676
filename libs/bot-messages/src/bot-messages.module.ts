import { Module } from '@nestjs/common';
import { HttpModule } from '@tieline/platform/http';
import { RateLimitModule } from '@tieline/rate-limit';
import { DatabaseModule } from '@tieline/platform/database';
import { BotRateSettings, LiveEvents, MessagesModule, ShownMessages } from '@tieline/conversations';
import { FileLookupModule } from '@tieline/files';
import { ComponentSigningModule, InteractiveSettings } from '@tieline/interactive';
import { BusModule } from '@tieline/live';
import { BotMessagesController } from './bot-messages.controller.js';
import { EphemeralMessagesController } from './ephemeral/ephemeral.controller.js';
import { MessageController } from './message/message.controller.js';
import { MessageFiles } from './message-files.js';
import { BotPinsController } from './pins/pins.controller.js';
import { BotReactionsController } from './reactions/reactions.controller.js';

/** Messages of bots: sending, reading, editing and deleting, reactions and pins. */
@Module({
  imports: [
    DatabaseModule,
    RateLimitModule,
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
  ],
  providers: [MessageFiles, BotRateSettings, InteractiveSettings, LiveEvents, ShownMessages],
})
export class BotMessagesModule {}
