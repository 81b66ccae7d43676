import { BullModule } from '@nestjs/bullmq';
import { Logger, Module } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { AppBotsModule, SlackEvents } from '@tieline/bots';
import { DeliveryKinds, DeliveryModule, OutboxRelay, RelayModule } from '@tieline/delivery';
import { EgressModule } from '@tieline/egress';
import { Bus, BusModule } from '@tieline/live';
import { DatabaseModule } from '@tieline/platform/database';
import { HttpModule } from '@tieline/platform/http';
import { QueueWorkerModule } from '@tieline/queue';
import { SecretBox, SigningModule } from '@tieline/signing';
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
import { AppDeliveriesAdminController } from './events/deliveries.admin-controller.js';
import { AppDeliveries } from './events/app-deliveries.js';
import { AppEventsPlanner } from './events/app-events-planner.js';
import { InstallationsAdminController } from './installations/installations.admin-controller.js';
import { SuspendBots } from './installations/suspend-bots.js';
import { UninstallApp } from './installations/uninstall-app.js';
import { OAuthExchange } from './oauth/exchange.js';
import { IssueTokens } from './oauth/issue-tokens.js';
import { OAuthController } from './oauth/oauth.controller.js';
import { OAuthProvider } from './oauth/oauth-provider.js';
import { RegisterClient } from './oauth/register-client.js';
import { RevokeToken } from './oauth/revoke-token.js';
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
    RegisterClient,
    RevokeGrant,
    RevokeToken,
  ],
  exports: [OAuthExchange, RevokeToken],
})
export class AppsModule {}

/** The admin endpoints of this lib; mounted by `@tieline/admin`. */
@Module({
  imports: [DatabaseModule, HttpModule, SigningModule, EgressModule, AppBotsModule],
  controllers: [
    AppsAdminController,
    AppDeliveriesAdminController,
    InstallationsAdminController,
    AppRequestsAdminController,
  ],
  providers: [CreateApp, UpdateApp, DeleteApp, SuspendBots, UninstallApp, DecideRequest, GrantAccess],
})
export class AppsAdminModule {}

/** The worker's part: sends events to apps, and deletes what has expired. */
@Module({
  imports: [
    DatabaseModule,
    BusModule,
    QueueWorkerModule,
    AppBotsModule,
    SigningModule,
    RelayModule,
    DeliveryModule,
    BullModule.registerQueue({ name: OLD_OAUTH_RECORDS }),
  ],
  providers: [OldOAuthRecordsProcessor, SuspendBots, UninstallApp],
})
export class AppsWorkerModule implements OnModuleInit {
  private readonly logger = new Logger('Apps');

  constructor(
    private readonly bus: Bus,
    private readonly box: SecretBox,
    private readonly relay: OutboxRelay,
    private readonly kinds: DeliveryKinds,
    private readonly slackEvents: SlackEvents,
  ) {}

  onModuleInit(): void {
    const unreadable = (appId: string, reason: string): void =>
      this.logger.error(`the signing secret of app ${appId} cannot be decrypted: ${reason}`);
    this.kinds.register(new AppDeliveries(this.box, unreadable));
    this.relay.subscribe(new AppEventsPlanner(this.bus, this.slackEvents));
  }
}
