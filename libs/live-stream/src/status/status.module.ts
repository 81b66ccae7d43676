import { Module } from '@nestjs/common';
import { RatesModule } from '@tieline/conversations';
import { DatabaseModule } from '@tieline/platform/database';
import { HttpModule } from '@tieline/platform/http';
import { StatusController } from './status.controller.js';

/** Endpoints with which bots show what they are doing. */
@Module({ imports: [DatabaseModule, HttpModule, RatesModule], controllers: [StatusController] })
export class BotStatusModule {}
