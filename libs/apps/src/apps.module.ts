import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { AppBotsModule } from '@tieline/bots';
import { EgressModule } from '@tieline/egress';
import { DatabaseModule } from '@tieline/platform/database';
import { HttpModule } from '@tieline/platform/http';
import { QueueWorkerModule } from '@tieline/queue';
import { SigningModule } from '@tieline/signing';
import { AppsAdminController } from './apps.admin-controller.js';
import { OAuthSettings } from './apps.settings.js';
import { AppsOperatorController } from './apps.operator-controller.js';
import { AuthorizationsClientController } from './authorizations/authorizations.client-controller.js';
import { PersonTokens } from './authorizations/person-tokens.js';
import { RevokeGrant } from './authorizations/revoke-grant.js';
import { ApproveInteraction } from './consent/approve-interaction.js';
import { GrantAccess } from './consent/grant-access.js';
import { InteractionsClientController } from './consent/interactions.client-controller.js';
import { CreateApp } from './create-app.js';
import { DeleteApp } from './delete-app.js';
import { AppsClientController } from './directory/apps.client-controller.js';
import { InstallationsAdminController } from './installations/installations.admin-controller.js';
import { UninstallApp } from './installations/uninstall-app.js';
import { OAuthExchange } from './oauth/exchange.js';
import { IssueTokens } from './oauth/issue-tokens.js';
import { OAuthController } from './oauth/oauth.controller.js';
import { OAuthProvider } from './oauth/oauth-provider.js';
import { RevokeBotToken } from './oauth/revoke-bot-token.js';
import { OLD_OAUTH_RECORDS, OldOAuthRecordsProcessor } from './old-oauth-records.processor.js';
import { AppRequestsAdminController } from './requests/app-requests.admin-controller.js';
import { DecideRequest } from './requests/decide-request.js';
import { UpdateApp } from './update-app.js';

/** The OAuth provider, consent, the directory, and the operator's endpoints. */
@Module({
  imports: [DatabaseModule, HttpModule, SigningModule, EgressModule, AppBotsModule],
  controllers: [
    OAuthController,
    InteractionsClientController,
    AppsClientController,
    AuthorizationsClientController,
    AppsOperatorController,
  ],
  providers: [
    ApproveInteraction,
    GrantAccess,
    IssueTokens,
    OAuthExchange,
    OAuthProvider,
    OAuthSettings,
    PersonTokens,
    RevokeBotToken,
    RevokeGrant,
  ],
})
export class AppsModule {}

/** The admin endpoints of this lib; mounted by `@tieline/admin`. */
@Module({
  imports: [DatabaseModule, HttpModule, SigningModule, EgressModule, AppBotsModule],
  controllers: [AppsAdminController, InstallationsAdminController, AppRequestsAdminController],
  providers: [CreateApp, UpdateApp, DeleteApp, UninstallApp, DecideRequest, GrantAccess],
})
export class AppsAdminModule {}

/** The worker's part: deletes what has expired. */
@Module({
  imports: [
    DatabaseModule,
    QueueWorkerModule,
    AppBotsModule,
    BullModule.registerQueue({ name: OLD_OAUTH_RECORDS }),
  ],
  providers: [OldOAuthRecordsProcessor, UninstallApp],
})
export class AppsWorkerModule {}
