import { Module } from '@nestjs/common';
import { LiveEvents } from '@tieline/conversations';
import { CallbacksModule } from '@tieline/platform/callbacks';
import { AnswerToolbox } from './answer-toolbox.js';
import { ComponentSigningModule } from './component-signing.module.js';
import { InteractionDeliverer } from './interaction-deliverer.js';
import { InteractionsClientController } from './interactions.client-controller.js';
import { InteractionsController } from './interactions.controller.js';
import { InteractiveConfigController } from './interactive-config.controller.js';
import { Interactor } from './interactor.js';

/** Buttons, selects and modals of bots' messages: their configuration, signing and visibility, and what people do with them. */
@Module({
  imports: [ComponentSigningModule, CallbacksModule],
  controllers: [InteractiveConfigController, InteractionsController, InteractionsClientController],
  providers: [AnswerToolbox, InteractionDeliverer, Interactor, LiveEvents],
})
export class InteractiveModule {}
