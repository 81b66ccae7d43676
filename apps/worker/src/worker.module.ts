import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { AgentRunsWorkerModule } from '@tieline/agent-runs';
import { ApprovalsWorkerModule } from '@tieline/approvals';
import { AppsWorkerModule } from '@tieline/apps';
import { BotMessagesWorkerModule } from '@tieline/bot-messages';
import { BotsWorkerModule } from '@tieline/bots';
import { LiveFanoutModule } from '@tieline/live-stream';
import { NoticesWorkerModule } from '@tieline/conversations';
import { NotificationsWorkerModule } from '@tieline/notifications';
import { DeliveryWorkerModule } from '@tieline/delivery';
import { ExecutionTasksWorkerModule } from '@tieline/execution-tasks';
import { FilesWorkerModule } from '@tieline/files';
import { InteractiveWorkerModule } from '@tieline/interactive';
import type { Environment } from '@tieline/platform/config';
import { IdempotencyWorkerModule } from '@tieline/idempotency';
import { StatisticsModule } from '@tieline/platform/database';
import { PlatformModule } from '@tieline/platform/runtime';
import { QueueWorkerModule } from '@tieline/queue';
import { RateLimitModule } from '@tieline/rate-limit';
import { SearchWorkerModule } from '@tieline/search';
import { SlackSurfaceWorkerModule } from '@tieline/slack-surface';
import { SlashWorkerModule } from '@tieline/slash';
import { SpacesWorkerModule } from '@tieline/spaces';
import { StorageWorkerModule } from '@tieline/storage';
import { OutgoingWebhooksWorkerModule } from '@tieline/webhooks';
import type { Logger } from 'pino';

/**
 * The worker: relay, delivery engine, timers, and every lib's subscribers and kinds; no public
 * endpoint.
 */
@Module({})
export class WorkerModule {
  static of(environment: Environment, logger: Logger): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        PlatformModule.of(environment, logger),
        StatisticsModule.of((error) => logger.warn({ err: error }, 'tables could not be analyzed')),
        QueueWorkerModule,
        RateLimitModule,
        IdempotencyWorkerModule,
        StorageWorkerModule,
        SpacesWorkerModule,
        DeliveryWorkerModule,
        OutgoingWebhooksWorkerModule,
        BotsWorkerModule,
        SlackSurfaceWorkerModule,
        BotMessagesWorkerModule,
        FilesWorkerModule,
        SearchWorkerModule,
        ExecutionTasksWorkerModule,
        AgentRunsWorkerModule,
        ApprovalsWorkerModule,
        AppsWorkerModule,
        InteractiveWorkerModule,
        SlashWorkerModule,
        LiveFanoutModule,
        NotificationsWorkerModule,
        NoticesWorkerModule,
      ],
    };
  }
}
