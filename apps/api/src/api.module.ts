import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { AdminModule, OperatorModule } from '@tieline/admin';
import { AgentRunsModule } from '@tieline/agent-runs';
import { BotMessagesModule } from '@tieline/bot-messages';
import { BotsModule } from '@tieline/bots';
import { ConsoleModule } from '@tieline/console';
import { ClientStreamModule, ConversationsModule, NotificationsModule } from '@tieline/conversations';
import { DeliveryApiModule } from '@tieline/delivery';
import { ExecutionTasksModule } from '@tieline/execution-tasks';
import { FilesModule } from '@tieline/files';
import { InteractiveModule } from '@tieline/interactive';
import type { Environment } from '@tieline/platform/config';
import { PlatformModule } from '@tieline/platform/runtime';
import { QueueModule } from '@tieline/queue';
import { RateLimitModule } from '@tieline/rate-limit';
import { StorageRoutesModule } from '@tieline/storage';
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
        NotificationsModule,
        BotsModule,
        FilesModule,
        BotMessagesModule,
        ExecutionTasksModule,
        AgentRunsModule,
        InteractiveModule,
        SlashModule.of(),
        IncomingWebhooksModule,
        PortalModule,
        AdminModule,
        OperatorModule,
        ConsoleModule.of(),
      ],
    };
  }
}
