export { AppBotParts } from './accounts/app-bot-parts.js';
export type { BotPlace } from './accounts/app-bot-parts.js';
export { AppBots } from './accounts/app-bots.js';
export type { AppBotSettings } from './accounts/app-bots.js';
export { AppBotsModule } from './accounts/app-bots.module.js';
export { BOT_TOKEN_REVOKED } from './accounts/bot-token-revoked.js';
export type { BotTokenRevoked } from './accounts/bot-token-revoked.js';
export { BOT, EVENT_FORMATS } from './accounts/bot.js';
export type { EventDeliveryMode, EventFormat } from './accounts/bot.js';
export { CallbackLog } from './callbacks/callback-log.js';
export { CallbackLogModule } from './callbacks/callback-log.module.js';
export type { CallbackKind } from './callbacks/callback.view.js';
export { isSlackType, SlackEvents } from './events/slack-events.js';
export type {
  AppEventForSlack,
  BotEventForSlack,
  DirectForSlack,
  EventForSlack,
  SlackEvent,
} from './events/slack-events.js';
export { BotsWorkerModule } from './bots-worker.module.js';
export { BotsAdminModule, BotsModule } from './bots.module.js';
export { announcePollRecords } from './poll/announce-poll-records.js';
export { appendPollRecords } from './poll/append-poll-records.js';
export { appendDirectEvent, DIRECT_EVENT_TYPES, SLACK_INTERACTION, withData } from './poll/direct-event.js';
export type { DirectEvent, DirectEventType } from './poll/direct-event.js';
export type { SlackEventName } from './events/slack-event-names.js';
export { SELECTED_BY_BOTS } from './events/dto/event-types.js';
export { StreamedDirectMessage } from './dm-stream/streamed-dm.view.js';
export { BotSockets } from './socket/bot-sockets.js';
export { isEnvelopeId } from './socket/native-dialect.js';
export type { SocketDialect, SocketMessage } from './socket/socket-dialect.js';
export type { ClaimedEnvelope, DisconnectReason } from './socket/envelope.view.js';
export { SocketModule } from './socket/socket.module.js';
export { SocketTickets } from './socket/tickets/socket-tickets.js';
export { SOCKET_MESSAGES } from './socket/frames.view.js';
export { pushHeaders } from './push/plan-pushes.js';
export { classifyPush, pushReadsLastFailure, signPush } from './push/sign-push.js';
export { PUSH } from './push/push-kind-name.js';
export { BOT_WEBHOOK_SECRET } from './push/webhook/webhook-secret.js';
export { redeliverPush } from './push/deliveries/redeliver-push.js';
export type { ChangedBot } from './accounts/record-bot-change.js';
export {
  activePushBots,
  deliveryModeOf,
  findBot,
  refusedBotToken,
  requireBot,
} from './accounts/bots.queries.js';
export { failingBots } from './accounts/failing-bots.js';
export { COUNT_BOTS } from './accounts/bots.statements.js';
export { AnswerWaits } from './socket/answers/answer-waits.js';
export type { Outcome } from './socket/answers/outcome.js';
export { AlreadyAnsweredError, SocketAnswers } from './socket/answers/socket-answers.js';
export { SocketAnswersModule } from './socket/answers/socket-answers.module.js';
