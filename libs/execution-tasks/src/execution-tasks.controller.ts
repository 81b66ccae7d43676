import { Body, Controller, Get, HttpCode, Patch, Post } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import {
  Answers,
  BotApi,
  Caller,
  documentErrors,
  HasOwnRate,
  HeaderText,
  RequiresScope,
  UuidParam,
} from '@tieline/platform/http';
import type { BotPrincipal } from '@tieline/platform/http';
import { idempotencyKeyOf, requiredIdempotencyKey } from '@tieline/idempotency';
import { actionOfBody, AllowCapability } from './capabilities/allow-capability.js';
import { cancelExecutionTask } from './updates/cancel-execution-task.js';
import { CreateExecutionTask, findRepeat } from './create-execution-task.js';
import type { CreatedTask, NewTask } from './create-execution-task.js';
import {
  CreateExecutionTaskDto,
  newTask,
  taskUpdate,
  UpdateExecutionTaskDto,
} from './dto/execution-task.dto.js';
import { capabilityView, CreatedTaskAnswer, ExecutionTaskAnswer, taskAnswer } from './execution-task.view.js';
import { widgetIdMalformed } from './execution-tasks.errors.js';
import { requireOwnTask } from './execution-task.queries.js';
import { TaskRates } from './rates/task-rates.js';
import { findRepeatedUpdate, updateExecutionTask } from './updates/update-execution-task.js';

const KEY = {
  name: 'Idempotency-Key',
  required: false,
  description: 'up to 128 characters of A-Z a-z 0-9 . _ : -; in the header or the body',
};

/** Task widgets of bots, also accessible with a task's capability: docs/execution-tasks.md. */
@Controller('api/v1/bot/execution_tasks')
@BotApi()
@RequiresScope('tasks')
@HasOwnRate()
@ApiTags('bot: execution tasks')
export class ExecutionTasksController {
  constructor(
    private readonly db: Db,
    private readonly rates: TaskRates,
    private readonly createTask: CreateExecutionTask,
  ) {}

  /**
   * Creates a task in the thread of a message, or with only `conversation_id` in the thread of an
   * anchor that the bot posts. The capability's token is returned once. A repeat with the same key
   * returns the task without it.
   */
  @Post()
  @ApiOperation({ operationId: 'createExecutionTask', summary: 'Creates a task widget in a thread' })
  @HttpCode(200)
  @ApiHeader(KEY)
  @Answers(CreatedTaskAnswer)
  @documentErrors(400, 403, 404, 409, 413, 429, 503)
  async create(
    @Caller() bot: BotPrincipal,
    @Body() body: CreateExecutionTaskDto,
    @HeaderText('idempotency-key') key?: string,
  ): Promise<CreatedTaskAnswer> {
    const { task, token } = await this.createOrRepeat(
      bot,
      newTask(body, requiredIdempotencyKey(key, body.idempotency_key)),
    );
    return { ...taskAnswer(task), runtime_capability: capabilityView(task, token) };
  }

  /** Returns a task. */
  @Get(':widget_id')
  @AllowCapability(() => undefined)
  @ApiOperation({
    operationId: 'getExecutionTask',
    summary: 'Gets a task of the calling bot, or the task of the capability',
  })
  @Answers(ExecutionTaskAnswer)
  @documentErrors(400, 403, 404)
  async get(
    @Caller() bot: BotPrincipal,
    @UuidParam('widget_id', widgetIdMalformed) widgetId: string,
  ): Promise<ExecutionTaskAnswer> {
    return taskAnswer(await requireOwnTask(this.db, bot, widgetId));
  }

  /** Updates a task. The request names the current sequence, and every update increments it. */
  @Patch(':widget_id')
  @AllowCapability(actionOfBody)
  @ApiOperation({
    operationId: 'updateExecutionTask',
    summary: 'Changes a task of the calling bot, or the task of the capability',
  })
  @ApiHeader({ ...KEY, description: 'a repeat of the same change with the same key has no effect' })
  @Answers(ExecutionTaskAnswer)
  @documentErrors(400, 403, 404, 409, 413, 429, 503)
  async update(
    @Caller() bot: BotPrincipal,
    @UuidParam('widget_id', widgetIdMalformed) widgetId: string,
    @Body() body: UpdateExecutionTaskDto,
    @HeaderText('idempotency-key') header?: string,
  ): Promise<ExecutionTaskAnswer> {
    const key = idempotencyKeyOf(header, body.idempotency_key);
    const update = taskUpdate(body);
    const { task } = await this.rates.charged(
      bot,
      () => updateExecutionTask(this.db, bot, widgetId, key, update),
      {
        findRepeat: () => findRepeatedUpdate(this.db, bot, widgetId, key, update),
        isRepeat: ({ isRepeat }) => isRepeat,
      },
    );
    return taskAnswer(task);
  }

  /** Cancels a task. */
  @Post(':widget_id/cancel')
  @AllowCapability(() => 'cancel')
  @ApiOperation({
    operationId: 'cancelExecutionTask',
    summary: 'Cancels a task of the calling bot, or the task of the capability',
  })
  @HttpCode(200)
  @Answers(ExecutionTaskAnswer)
  @documentErrors(400, 403, 404, 409, 429, 503)
  async cancel(
    @Caller() bot: BotPrincipal,
    @UuidParam('widget_id', widgetIdMalformed) widgetId: string,
  ): Promise<ExecutionTaskAnswer> {
    const cancel = () => cancelExecutionTask(this.db, bot, widgetId);
    return taskAnswer(await this.rates.charged(bot, cancel));
  }

  private createOrRepeat(bot: BotPrincipal, request: NewTask): Promise<CreatedTask> {
    return this.rates.charged(bot, () => this.createTask.run(bot, request), {
      findRepeat: () => findRepeat(this.db, bot, request),
      // The capability's token is only returned when the task is created.
      isRepeat: ({ token }) => token === undefined,
    });
  }
}
