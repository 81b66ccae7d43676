import { Module } from '@nestjs/common';
import { AppsModule } from '@tieline/apps';
import { BotMessagesModule } from '@tieline/bot-messages';
import { SocketModule } from '@tieline/bots';
import { MessagesModule, RatesModule } from '@tieline/conversations';
import {
  DirectInteractions,
  LateAnswersModule,
  ReadTriggers,
  ResponseTokensModule,
  TriggerIdsModule,
} from '@tieline/interactive';
import { BusModule } from '@tieline/live';
import { LiveEvents } from '@tieline/live-stream';
import { RateLimitModule } from '@tieline/rate-limit';
import { CommandCallbacksModule } from '@tieline/slash';
import { FileUploadsModule } from '@tieline/files';
import { DatabaseModule } from '@tieline/platform/database';
import { HttpModule, RestApi } from '@tieline/platform/http';
import { ActedMessages } from './block-actions/acted-message.js';
import { BlockActions } from './block-actions/block-actions.js';
import { BlockActionsClientController } from './block-actions/block-actions.client-controller.js';
import { SlackCallers } from './dispatcher/callers.js';
import { SlackWebApi } from './dispatcher/web-api.js';
import { AssistantMethods } from './methods/assistant.methods.js';
import { AuthMethods } from './methods/auth.methods.js';
import { ChatMethods } from './methods/chat.methods.js';
import { ConversationsMethods } from './methods/conversations.methods.js';
import { EmptyMethods } from './methods/empty.methods.js';
import { FileUploadMethods } from './methods/file-uploads.methods.js';
import { MarksMethods } from './methods/marks.methods.js';
import { ScheduledMessageMethods } from './methods/scheduled-messages.methods.js';
import { OAuthMethods } from './methods/oauth.methods.js';
import { SearchMethods } from './methods/search.methods.js';
import { SessionMethods } from './methods/sessions.methods.js';
import { StoredFileMethods } from './methods/stored-files.methods.js';
import { StreamMethods } from './methods/streams.methods.js';
import { ViewsMethods } from './methods/views.methods.js';
import { UsersMethods } from './methods/users.methods.js';
import { MessageLists } from './messages/message-lists.js';
import { SlackPlaces } from './messages/places.js';
import { PostAsBot } from './messages/post-as-bot.js';
import { ConversationChangeMethods } from './methods/conversation-changes.methods.js';
import { METHOD_GROUPS, MethodRegistry } from './methods/method-registry.js';
import { SlackCommandsModule } from './commands/slack-commands.module.js';
import { SlackInteractionsModule } from './interactions/slack-interactions.module.js';
import { ConnectionsMethods } from './methods/connections.methods.js';
import { DeleteFile } from './files/delete-file.js';
import { AuthorizeAddress } from './oauth/authorize-address.js';
import { CodeVerifiers } from './oauth/code-verifiers.js';
import { SlackOAuthController } from './oauth/slack-oauth.controller.js';
import { RespondByUrl } from './responses/respond-by-url.js';
import { SlackResponsesController } from './responses/responses.controller.js';
import { SlackDialect } from './socket/slack-dialect.js';
import { SocketModeController } from './socket/socket-mode.controller.js';
import { SocketModeEndpoint } from './socket/socket-mode.endpoint.js';
import { MessageStreams } from './streams/message-streams.js';
import { RunStreams } from './streams/run-streams.js';
import { StreamPlaces } from './streams/stream-places.js';
import { ShortcutsClientController } from './shortcuts/shortcuts.client-controller.js';
import { UseShortcut } from './shortcuts/use-shortcut.js';
import { HomesClientController } from './views/homes.client-controller.js';
import { HomesController } from './views/homes.controller.js';
import { PersonViews } from './views/person-views.js';
import { PublishHome } from './views/publish-home.js';
import { ResponseUrls } from './views/response-urls.js';
import { ShowViews } from './views/show-views.js';
import { SubmitView } from './views/submit-view.js';
import { ViewsClientController } from './views/views.client-controller.js';
import { SlackController } from './slack.controller.js';
import { SlackUploadsController } from './uploads/uploads.controller.js';
import { UploadTokens } from './uploads/upload-tokens.js';

/** Every family of methods. */
const GROUPS = [
  AssistantMethods,
  AuthMethods,
  ChatMethods,
  ConnectionsMethods,
  ConversationChangeMethods,
  ConversationsMethods,
  EmptyMethods,
  FileUploadMethods,
  MarksMethods,
  OAuthMethods,
  ScheduledMessageMethods,
  SearchMethods,
  SessionMethods,
  StoredFileMethods,
  StreamMethods,
  UsersMethods,
  ViewsMethods,
];

/** Slack's Web API, over the services and the REST API of this process. */
@Module({
  imports: [
    DatabaseModule,
    HttpModule,
    RatesModule,
    AppsModule,
    BotMessagesModule,
    MessagesModule,
    FileUploadsModule,
    LateAnswersModule,
    SlackCommandsModule,
    SlackInteractionsModule,
    RateLimitModule,
    ResponseTokensModule,
    SocketModule,
    BusModule,
    CommandCallbacksModule,
    TriggerIdsModule,
  ],
  controllers: [
    BlockActionsClientController,
    SlackController,
    SlackOAuthController,
    SlackResponsesController,
    SlackUploadsController,
    SocketModeController,
    HomesClientController,
    HomesController,
    ShortcutsClientController,
    ViewsClientController,
  ],
  providers: [
    AuthorizeAddress,
    CodeVerifiers,
    ActedMessages,
    BlockActions,
    DeleteFile,
    DirectInteractions,
    RespondByUrl,
    SlackDialect,
    SocketModeEndpoint,
    MessageLists,
    MessageStreams,
    MethodRegistry,
    PostAsBot,
    PublishHome,
    RestApi,
    RunStreams,
    SlackCallers,
    SlackPlaces,
    SlackWebApi,
    LiveEvents,
    PersonViews,
    ReadTriggers,
    ResponseUrls,
    ShowViews,
    StreamPlaces,
    SubmitView,
    UploadTokens,
    UseShortcut,
    ...GROUPS,
    { provide: METHOD_GROUPS, useFactory: (...groups: object[]) => groups, inject: GROUPS },
  ],
})
export class SlackSurfaceModule {}
