import { Module } from '@nestjs/common';
import { BotRateSettings } from '@tieline/conversations';
import { TaskRates } from './task-rates.js';
import { TaskSettings } from './execution-tasks.settings.js';
import { ExecutionTasksClientController } from './execution-tasks.client-controller.js';
import { ExecutionTasksController } from './execution-tasks.controller.js';

/** Task widgets: what bots make and change, and what people see and judge. */
@Module({
  controllers: [ExecutionTasksController, ExecutionTasksClientController],
  providers: [TaskRates, TaskSettings, BotRateSettings],
})
export class ExecutionTasksModule {}

/** In workers: with it the live fan-out knows what changes of tasks people's streams are told (see events/task-events.ts). */
@Module({})
export class ExecutionTasksWorkerModule {}
