import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { HttpModule } from '@tieline/platform/http';
import { DatabaseModule } from '@tieline/platform/database';
import { MessagesModule, RatesModule } from '@tieline/conversations';
import { QueueWorkerModule } from '@tieline/queue';
import { TaskCapabilities } from './capabilities/task-capabilities.js';
import { CreateExecutionTask } from './create-execution-task.js';
import { TaskRates } from './rates/task-rates.js';
import { TaskSettings } from './execution-tasks.settings.js';
import { ConversationTasksClientController } from './reviews/conversation-tasks.client-controller.js';
import { ExecutionTasksClientController } from './reviews/execution-tasks.client-controller.js';
import { ExecutionTasksController } from './execution-tasks.controller.js';
import { OLD_TASK_KEYS, OldTaskKeysProcessor } from './updates/old-task-keys.processor.js';

/** Task widgets: created and updated by bots, reviewed by people. */
@Module({
  imports: [DatabaseModule, RatesModule, HttpModule, MessagesModule],
  controllers: [ExecutionTasksController, ExecutionTasksClientController, ConversationTasksClientController],
  providers: [CreateExecutionTask, TaskCapabilities, TaskRates, TaskSettings],
})
export class ExecutionTasksModule {}

/** The worker's part: deletes old update keys. */
@Module({
  imports: [DatabaseModule, QueueWorkerModule, BullModule.registerQueue({ name: OLD_TASK_KEYS })],
  providers: [OldTaskKeysProcessor],
})
export class ExecutionTasksWorkerModule {}
