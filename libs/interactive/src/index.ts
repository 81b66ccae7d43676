export { BuiltinClicks } from './clicks/builtin-clicks.js';
export type { BuiltinClick, BuiltinClickResult } from './clicks/builtin-clicks.js';
export { BUILTIN_KEY, signBuiltinMetadata } from './schema/signing/builtin-signing.js';
export { BUTTONS_SECRET, INTERNAL_KEY } from './schema/signing/component-keys.js';
export { clickRules, suggestionRules } from './clicks/click-rates.js';
export { countInteraction, requireLivePlace, requirePlace } from './clicks/message-place.js';
export { ComponentSigner } from './schema/signing/component-signer.js';
export { ComponentSigningModule } from './schema/signing/component-signing.module.js';
export { verifyToken } from './schema/signing/component-token.js';
export type { TokenVerdict } from './schema/signing/component-token.js';
export { findComponent } from './schema/components.js';
export { findComponentState } from './config/interactive-config.queries.js';
export {
  actionGone,
  botAnswerUnreadable,
  botUnresponsive,
  modalAwaitsAnswer,
  modalCovered,
  modalNotFound,
  notForYou,
  shortcutNotReadable,
  triggerExpired,
  triggerNotFound,
  triggerOfAnotherBot,
  triggerUsed,
} from './interactive.errors.js';
export { InteractiveSettings } from './interactive.settings.js';
export { InteractiveWorkerModule } from './interactive-worker.module.js';
export { InteractiveAdminModule, InteractiveModule } from './interactive.module.js';
export { ChoiceAsker } from './choices/choice-asker.js';
export type { ChoiceQuestion, ChoiceTarget } from './choices/choice-asker.js';
export { ChoicesModule } from './choices/choices.module.js';
export { ChoicesDto } from './choices/dto/choices.dto.js';
export { homeAction, shortcutUsed } from './interactions/direct-interaction.view.js';
export { DirectInteractions } from './interactions/direct-interactions.js';
export { SENT_INTERACTIONS, STREAMED_OF_BOTS } from './interactions/interaction-payload.view.js';
export { ChoicesAnswer, ChoiceView } from './choices/choice.view.js';
export type { Choice } from './choices/choice.view.js';
export { validateJson } from './answers/bot-answer.js';
export type { ForeignContent } from './answers/bot-answer.js';
export { CommandCallbacks } from './modals/command-callbacks.js';
export type { CommandTrigger } from './modals/command-callbacks.js';
export { CommandModals, CommandModalsModule } from './modals/command-modals.js';
export { noteOriginal } from './responses/response-uses.queries.js';
export { LateAnswersModule } from './responses/late-answers.module.js';
export type { LateAnswer } from './responses/late-answer.js';
export { requireSubject, RespondLate } from './responses/respond-late.js';
export { ResponseTokens } from './responses/response-tokens.js';
export type { ResponseFields } from './responses/response-tokens.js';
export { ResponseTokensModule } from './responses/response-tokens.module.js';
export { TriggerIds, TriggerIdsModule } from './triggers/trigger-ids.js';
export { ephemeralEvent, shownMetadata, showEphemeral } from './ephemeral/ephemeral-message.js';
export type { EphemeralMessage } from './ephemeral/ephemeral-message.js';
export { createEphemeral } from './ephemeral/create-ephemeral.js';
export { storeEphemeral } from './ephemeral/ephemeral.queries.js';
export { isCalendarDate, isTimeOfDay } from './schema/calendar.js';
export { parseMetadata } from './schema/metadata.js';
export { storeFeedback } from './feedback/feedback.queries.js';
export type { Metadata } from './schema/metadata.js';
export { checkReferences } from './modals/validated/check-references.js';
export { ModalDefinition } from './modals/validated/modal-definition.js';
export { validateValues } from './modals/validated/validate-values.js';
export { ReadTriggers } from './triggers/read-trigger.js';
export { claimView, endClaimedView, releaseView } from './views/claim-view.js';
export type { ViewClaim } from './views/claim-view.js';
export {
  endViews,
  findExternalView,
  findHome,
  findView,
  openView,
  pushView,
  putHome,
  replaceView,
} from './views/views.js';
export type { ViewKind } from './views/views.statements.js';
export type { AppView, ViewContent, ViewOwner } from './views/views.js';
export { MAX_SHORTCUTS, ShortcutDto, shortcutOf } from './shortcuts/dto/shortcuts.dto.js';
export { setShortcutsIn } from './shortcuts/set-shortcuts.js';
export type { ShortcutSettings } from './shortcuts/set-shortcuts.js';
export { findShortcut, shortcutsOfBot, shortcutsOfSpace } from './shortcuts/shortcuts.queries.js';
export type { Shortcut, UsedShortcut } from './shortcuts/shortcuts.queries.js';
export { ListedShortcutsAnswer, listedShortcutsAnswer } from './shortcuts/shortcuts.view.js';
