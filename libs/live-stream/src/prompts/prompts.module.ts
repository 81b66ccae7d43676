import { Module } from '@nestjs/common';
import { RatesModule } from '@tieline/conversations';
import { DatabaseModule } from '@tieline/platform/database';
import { HttpModule } from '@tieline/platform/http';
import { PromptsClientController } from './prompts.client-controller.js';
import { PromptsController } from './prompts.controller.js';

/** Endpoints for messages that bots suggest to people. */
@Module({
  imports: [DatabaseModule, HttpModule, RatesModule],
  controllers: [PromptsController, PromptsClientController],
})
export class BotPromptsModule {}
