import { Module } from '@nestjs/common';
import { ExecutionTasksClientController } from './execution-tasks.client-controller.js';
import { ExecutionTasksController } from './execution-tasks.controller.js';

/** Task widgets: what bots make and change, and what people see and judge. */
@Module({ controllers: [ExecutionTasksController, ExecutionTasksClientController] })
export class ExecutionTasksModule {}

/** In workers: with it the live fan-out knows what changes of tasks people's streams are told (see events/task-events.ts). */
@Module({})
export class ExecutionTasksWorkerModule {}
