import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { chatAccess, chatErrors } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import { Answers, Caller, ClientApi, documentErrors, RequiresScope, UuidParam } from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { ReviewExecutionTaskDto } from '../dto/execution-task.dto.js';
import { findTask } from '../execution-task.queries.js';
import { ExecutionTaskAnswer, taskAnswer } from '../execution-task.view.js';
import { taskNotFound, widgetIdMalformed } from '../execution-tasks.errors.js';
import { closeExecutionTask } from './close-execution-task.js';
import { reviewExecutionTask } from './review-execution-task.js';

/** Tasks for people: docs/execution-tasks.md#review-and-close. */
@Controller('api/v1/client/execution_tasks')
@ClientApi()
@RequiresScope('tasks')
@ApiTags('person: execution tasks')
export class ExecutionTasksClientController {
  constructor(private readonly db: Db) {}

  /** Returns a task of a conversation that the caller may read. */
  @Get(':widget_id')
  @ApiOperation({
    operationId: 'getExecutionTaskAsPerson',
    summary: 'Gets a task of a conversation that the caller can read',
  })
  @Answers(ExecutionTaskAnswer)
  @documentErrors(400, 403, 404)
  async get(
    @Caller() caller: UserPrincipal,
    @UuidParam('widget_id', widgetIdMalformed) widgetId: string,
  ): Promise<ExecutionTaskAnswer> {
    const task = await findTask(this.db, caller.spaceId, widgetId);
    if (!task) throw taskNotFound();
    if (!(await chatAccess.reading(this.db, caller, task.channelId))?.mayRead) throw chatErrors.notReadable();
    return taskAnswer(task);
  }

  /** Accepts or rejects completed work. The caller must be a member of the conversation. */
  @Post(':widget_id/review')
  @ApiOperation({ operationId: 'reviewExecutionTaskAsPerson', summary: 'Accepts or rejects completed work' })
  @HttpCode(200)
  @Answers(ExecutionTaskAnswer)
  @documentErrors(400, 403, 404, 409)
  async review(
    @Caller() caller: UserPrincipal,
    @UuidParam('widget_id', widgetIdMalformed) widgetId: string,
    @Body() { decision }: ReviewExecutionTaskDto,
  ): Promise<ExecutionTaskAnswer> {
    return taskAnswer(await reviewExecutionTask(this.db, caller, widgetId, decision));
  }

  /** Closes an unfinished task. The caller must be a member of the conversation. */
  @Post(':widget_id/close')
  @ApiOperation({ operationId: 'closeExecutionTaskAsPerson', summary: 'Closes an unfinished task' })
  @HttpCode(200)
  @Answers(ExecutionTaskAnswer)
  @documentErrors(400, 403, 404, 409)
  async close(
    @Caller() caller: UserPrincipal,
    @UuidParam('widget_id', widgetIdMalformed) widgetId: string,
  ): Promise<ExecutionTaskAnswer> {
    return taskAnswer(await closeExecutionTask(this.db, caller, widgetId));
  }
}
