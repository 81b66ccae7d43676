import { Module } from '@nestjs/common';
import { LiveEvents } from '@tieline/conversations';
import { CallbacksModule } from '@tieline/egress';
import { AnswerToolbox } from './answers/answer-toolbox.js';
import { ComponentSigningModule } from './schema/signing/component-signing.module.js';
import { InteractionDeliverer } from './clicks/interaction-deliverer.js';
import { InteractionsClientController } from './clicks/interactions.client-controller.js';
import { InteractionsController } from './answers/interactions.controller.js';
import { InteractiveConfigController } from './config/interactive-config.controller.js';
import { Interactor } from './clicks/interactor.js';

/** Buttons, selects and modals of bots' messages: their configuration, signing and visibility, and what people do with them. */
@Module({
  imports: [ComponentSigningModule, CallbacksModule],
  controllers: [InteractiveConfigController, InteractionsController, InteractionsClientController],
  providers: [AnswerToolbox, InteractionDeliverer, Interactor, LiveEvents],
})
export class InteractiveModule {}
