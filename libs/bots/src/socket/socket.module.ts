import { Module } from '@nestjs/common';
import { AccessModule, BusModule } from '@tieline/live';
import { DatabaseModule } from '@tieline/platform/database';
import { HttpModule } from '@tieline/platform/http';
import { PollSettings, SocketSettings } from '../bots.settings.js';
import { Acknowledgements } from './acknowledgements.js';
import { SocketAnswersModule } from './answers/socket-answers.module.js';
import { BotSockets } from './bot-sockets.js';
import { SocketEndpoint } from './socket-endpoint.js';
import { ServeSockets } from './serve-sockets.js';
import { SocketTickets } from './tickets/socket-tickets.js';
import { SocketController } from './socket.controller.js';

/** Sockets of bots, for api processes. */
@Module({
  imports: [DatabaseModule, HttpModule, BusModule, AccessModule, SocketAnswersModule],
  controllers: [SocketController],
  providers: [
    Acknowledgements,
    BotSockets,
    ServeSockets,
    SocketEndpoint,
    SocketTickets,
    PollSettings,
    SocketSettings,
  ],
  exports: [BotSockets, SocketTickets],
})
export class SocketModule {}
