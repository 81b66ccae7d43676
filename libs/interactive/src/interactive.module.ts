import { Module } from '@nestjs/common';
import { HttpModule } from '@tieline/platform/http';
import { SigningModule } from '@tieline/signing';
import { RateLimitModule } from '@tieline/rate-limit';
import { BusModule } from '@tieline/live';
import { DatabaseModule } from '@tieline/platform/database';
import {
  BotRateSettings,
  LiveEvents,
  MessagesModule,
  PersonRates,
  PersonRateSettings,
} from '@tieline/conversations';
import { BotCallbacksModule, SocketAnswersModule } from '@tieline/bots';
import { EgressSettings, EgressModule } from '@tieline/egress';
import { InteractiveMetrics } from './interactive.metrics.js';
import { InteractiveSettings } from './interactive.settings.js';
import { AcknowledgedAnswers } from './answers/acknowledged-answers.js';
import { AnswerApplier } from './answers/answer-applier.js';
import { InteractionsController } from './answers/interactions.controller.js';
import { ClickHandler } from './clicks/click-handler.js';
import { InteractionsClientController } from './clicks/interactions.client-controller.js';
import { InteractiveConfigAdminController } from './config/interactive-config.admin-controller.js';
import { InteractiveConfigController } from './config/interactive-config.controller.js';
import { ChoicesModule } from './choices/choices.module.js';
import { InteractionRequests } from './delivery/interaction-requests.js';
import { InteractionDeliverer } from './delivery/interaction-deliverer.js';
import { ModalCloser } from './modals/closing/modal-closer.js';
import { ModalAccess } from './modals/modal-access.js';
import { ModalSubmitter } from './modals/modal-submitter.js';
import { ModalOptionsClientController } from './modals/options/modal-options.client-controller.js';
import { ModalOptions } from './modals/options/modal-options.js';
import { ModalTokens } from './modals/modal-tokens.js';
import { ModalsClientController } from './modals/modals.client-controller.js';
import { ResponseTokensModule } from './responses/response-tokens.module.js';
import { ResponsesController } from './responses/responses.controller.js';
import { TestClicks } from './test-clicks/test-clicks.js';
import { TestClicksAdminController } from './test-clicks/test-clicks.admin-controller.js';
import { MetadataVisibilityModule } from './schema/metadata-visibility.js';
import { ComponentSigningModule } from './schema/signing/component-signing.module.js';

/**
 * Buttons, selects and modals in bots' messages: configuration, signing, visibility and
 * interactions.
 */
@Module({
  imports: [
    DatabaseModule,
    BusModule,
    RateLimitModule,
    SigningModule,
    EgressModule,
    HttpModule,
    ComponentSigningModule,
    MetadataVisibilityModule,
    MessagesModule,
    BotCallbacksModule,
    ResponseTokensModule,
    ChoicesModule,
    SocketAnswersModule,
  ],
  controllers: [
    InteractiveConfigController,
    InteractionsController,
    InteractionsClientController,
    ModalsClientController,
    ModalOptionsClientController,
    ResponsesController,
  ],
  providers: [
    AnswerApplier,
    ClickHandler,
    InteractionDeliverer,
    InteractionRequests,
    LiveEvents,
    ModalAccess,
    ModalCloser,
    ModalOptions,
    ModalSubmitter,
    ModalTokens,
    AcknowledgedAnswers,
    InteractiveMetrics,
    InteractiveSettings,
    BotRateSettings,
    PersonRates,
    PersonRateSettings,
    EgressSettings,
  ],
})
export class InteractiveModule {}

/** Admin endpoints of this lib; mounted by `@tieline/admin`. */
@Module({
  imports: [
    DatabaseModule,
    HttpModule,
    EgressModule,
    SigningModule,
    RateLimitModule,
    BotCallbacksModule,
    ResponseTokensModule,
  ],
  controllers: [InteractiveConfigAdminController, TestClicksAdminController],
  providers: [InteractionRequests, InteractiveSettings, TestClicks],
})
export class InteractiveAdminModule {}
