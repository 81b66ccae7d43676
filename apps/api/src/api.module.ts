import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { AdminModule, OperatorModule } from '@tieline/admin';
import { AgentRunsModule } from '@tieline/agent-runs';
import { ApprovalsModule } from '@tieline/approvals';
import { AppsModule } from '@tieline/apps';
import { BotMessagesModule } from '@tieline/bot-messages';
import { BotsModule } from '@tieline/bots';
import { ConsoleModule } from '@tieline/console';
import { BotPromptsModule, BotStatusModule, ClientStreamModule } from '@tieline/live-stream';
import { ConversationsModule } from '@tieline/conversations';
import { McpModule } from '@tieline/mcp';
import { NotificationsModule } from '@tieline/notifications';
import { DeliveryApiModule } from '@tieline/delivery';
import { DirectoryModule } from '@tieline/directory';
import { ExecutionTasksModule } from '@tieline/execution-tasks';
import { FilesModule } from '@tieline/files';
import { InteractiveModule } from '@tieline/interactive';
import type { Environment } from '@tieline/platform/config';
import { PlatformModule } from '@tieline/platform/runtime';
import { QueueModule } from '@tieline/queue';
import { RateLimitModule } from '@tieline/rate-limit';
import { StorageRoutesModule } from '@tieline/storage';
import { SearchModule } from '@tieline/search';
import { SlackSurfaceModule } from '@tieline/slack-surface';
import { SlashModule } from '@tieline/slash';
import { SpacesModule } from '@tieline/spaces';
import { IncomingWebhooksModule, PortalModule } from '@tieline/webhooks';
import type { Logger } from 'pino';

/** The api: the HTTP modules of every lib on the platform, nothing else. */
@Module({})
export class ApiModule {
  static of(environment: Environment, logger: Logger): DynamicModule {
    return {
      module: ApiModule,
      imports: [
        PlatformModule.of(environment, logger),
        QueueModule,
        RateLimitModule,
        DeliveryApiModule,
        StorageRoutesModule.of(environment),
        SpacesModule,
        ConversationsModule,
        ClientStreamModule,
        BotPromptsModule,
        BotStatusModule,
        NotificationsModule,
        BotsModule,
        DirectoryModule,
        FilesModule,
        SearchModule,
        BotMessagesModule,
        ExecutionTasksModule,
        AgentRunsModule,
        ApprovalsModule,
        AppsModule,
        InteractiveModule,
        SlashModule.of(),
        IncomingWebhooksModule,
        PortalModule,
        AdminModule,
        OperatorModule,
        McpModule,
        SlackSurfaceModule,
        ConsoleModule.of(),
      ],
    };
  }
}
