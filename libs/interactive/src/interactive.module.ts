import { Module } from '@nestjs/common';
import { HttpModule } from '@tieline/platform/http';
import { SigningModule } from '@tieline/signing';
import { RateLimitModule } from '@tieline/rate-limit';
import { BusModule } from '@tieline/live';
import { DatabaseModule } from '@tieline/platform/database';
import { MessagesModule, RatesModule } from '@tieline/conversations';
import { LiveEvents } from '@tieline/live-stream';
import { AskBotModule } from '@tieline/ask-bot';
import { EgressSettings, EgressModule } from '@tieline/egress';
import { InteractiveMetrics } from './interactive.metrics.js';
import { InteractiveSettings } from './interactive.settings.js';
import { AcknowledgedAnswers } from './answers/acknowledged-answers.js';
import { InteractionsController } from './answers/interactions.controller.js';
import { RespondToInteraction } from './answers/respond-to-interaction.js';
import { ClickHandler } from './clicks/click-handler.js';
import { ClickValidator } from './clicks/click-validator.js';
import { InteractionsClientController } from './clicks/interactions.client-controller.js';
import { InteractiveConfigAdminController } from './config/interactive-config.admin-controller.js';
import { InteractiveConfigController } from './config/interactive-config.controller.js';
import { RotateButtonsSecret } from './config/rotate-buttons-secret.js';
import { SetCallbackUrl } from './config/set-callback-url.js';
import { ChoicesModule } from './choices/choices.module.js';
import { InteractionRequests } from './interactions/interaction-requests.js';
import { InteractionAsker } from './interactions/interaction-asker.js';
import { ModalCloser } from './modals/closing/modal-closer.js';
import { ModalAccess } from './modals/modal-access.js';
import { ModalSubmitter } from './modals/modal-submitter.js';
import { ModalOptionsClientController } from './modals/options/modal-options.client-controller.js';
import { ModalOptions } from './modals/options/modal-options.js';
import { BotModals } from './modals/bot-modals.js';
import { ModalsController } from './modals/modals.controller.js';
import { ReadTriggers } from './triggers/read-trigger.js';
import { TriggerIdsModule } from './triggers/trigger-ids.js';
import { ModalsClientController } from './modals/modals.client-controller.js';
import { ResponseTokensModule } from './responses/response-tokens.module.js';
import { LateAnswersModule } from './responses/late-answers.module.js';
import { ResponsesController } from './responses/responses.controller.js';
import { TestClicks } from './test-clicks/test-clicks.js';
import { TestClicksAdminController } from './test-clicks/test-clicks.admin-controller.js';
import { ShortcutsAdminController } from './shortcuts/shortcuts.admin-controller.js';
import { ShortcutsController } from './shortcuts/shortcuts.controller.js';
import { MessageFeedbackModule } from './feedback/feedback-of-people.js';
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
    RatesModule,
    SigningModule,
    EgressModule,
    HttpModule,
    ComponentSigningModule,
    MetadataVisibilityModule,
    MessageFeedbackModule,
    MessagesModule,
    AskBotModule,
    ResponseTokensModule,
    ChoicesModule,
    LateAnswersModule,
    TriggerIdsModule,
  ],
  controllers: [
    InteractiveConfigController,
    InteractionsController,
    InteractionsClientController,
    ModalsClientController,
    ModalsController,
    ModalOptionsClientController,
    ResponsesController,
    ShortcutsController,
  ],
  providers: [
    ClickHandler,
    ClickValidator,
    InteractionAsker,
    InteractionRequests,
    LiveEvents,
    BotModals,
    ModalAccess,
    ModalCloser,
    ModalOptions,
    ModalSubmitter,
    ReadTriggers,
    RespondToInteraction,
    RotateButtonsSecret,
    SetCallbackUrl,
    AcknowledgedAnswers,
    InteractiveMetrics,
    InteractiveSettings,
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
    AskBotModule,
    ResponseTokensModule,
    TriggerIdsModule,
  ],
  controllers: [InteractiveConfigAdminController, TestClicksAdminController, ShortcutsAdminController],
  providers: [InteractionRequests, InteractiveSettings, RotateButtonsSecret, SetCallbackUrl, TestClicks],
})
export class InteractiveAdminModule {}
