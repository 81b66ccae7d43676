export { Client, Messages, SDK_VERSION, TielineError } from './client.js';
export type {
  CallOptions,
  ClientOptions,
  CursorStore,
  DirectMessage,
  Envelope,
  EventsOptions,
  HistoryOptions,
  ListOptions,
  Metadata,
  Options,
  PolledEvent,
  ReadingOptions,
  SocketOptions,
  StreamEvent,
  StreamOptions,
  TielineErrorDetails,
  Upload,
  WebSocketClass,
  WebSocketLike,
} from './client.js';
export { App } from './app/app.js';
export type { AppSettings, AppStartOptions } from './app/app.js';
export { OAuthError } from './app/oauth-client.js';
export type { TokenResponse } from './app/oauth-client.js';
export { fileStore, memoryStore } from './app/token-stores.js';
export type { InstalledSpace, TokenStore } from './app/token-stores.js';
export { Bot } from './bot/bot.js';
export type { ErrorHandler, Handler } from './bot/bot.js';
export type { BotSettings, StartOptions, StopOptions, Via } from './bot/settings.js';
export type { Answer, Choice, EphemeralMessage, Message, Modal } from './bot/answers/answer.js';
export type { AskOptions, AskResult, Question } from './bot/approvals/ask.js';
export { TooLate } from './bot/answers/late-answers.js';
export type { Receipt } from './bot/answers/late-answers.js';
export type { CommandSettings } from './bot/commands.js';
export { AnswerContext, ClickContext, CommandContext } from './bot/contexts/answer-context.js';
export { Context } from './bot/contexts/context.js';
export { EventContext, MessageContext } from './bot/contexts/event-context.js';
export { ClosedContext, OptionsContext, SubmitContext } from './bot/contexts/submit-context.js';
export type { Choices } from './bot/contexts/submit-context.js';
export { isOutage } from './bot/engine/outages.js';
export { keepRawBody } from './bot/connectors/adapters.js';
export type { FetchHandler, NodeHandler } from './bot/connectors/adapters.js';
export { cursorFile } from './bot/connectors/cursor-file.js';
export type { Middleware } from './bot/handlers/handlers.js';
export type { Activity as Happening, Kind } from './bot/activity.js';
export type { Run } from './bot/runs/run.js';
export type { RunOptions, RunWork, Trigger } from './bot/runs/run-agent.js';
export type { WorkingStatus } from './bot/runs/reports.js';
export type { Task } from './bot/runs/task.js';
export { IncomingWebhook, explain, rawBodyOf, sign, signedRequest, verify } from './signatures.js';
export type {
  IncomingMessage,
  IncomingWebhookOptions,
  PostOptions,
  RawBody,
  RequestHeaders,
  RequestWithBody,
  Scheme,
  SignOptions,
  SignatureFault,
  SignedRequestOptions,
  Verification,
  VerifyOptions,
} from './signatures.js';
export {
  LimitError,
  blocks,
  checkMetadata,
  checkModal,
  elements,
  fields,
  metadataJson,
  modal,
} from './blocks.js';
