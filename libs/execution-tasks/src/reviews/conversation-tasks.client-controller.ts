import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import { Answers, Caller, ClientApi, documentErrors, RequiresScope, UuidParam } from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { ListTasksQuery } from '../dto/list-tasks.query.js';
import { listTasks } from '../execution-task.queries.js';
import { ExecutionTasksPage, taskView } from '../execution-task.view.js';

/** Tasks of a conversation, for people. */
@Controller('api/v1/client/conversations/:id/execution_tasks')
@ClientApi()
@RequiresScope('tasks')
@ApiTags('person: execution tasks')
export class ConversationTasksClientController {
  constructor(private readonly db: Db) {}

  /**
   * Returns tasks of a conversation that the caller may read, newest first: a channel's with those
   * of its threads, or a thread's.
   */
  @Get()
  @ApiOperation({
    operationId: 'listExecutionTasksAsPerson',
    summary: 'Lists the tasks of a conversation in pages, newest first',
  })
  @Answers(ExecutionTasksPage)
  @documentErrors(400, 403, 404)
  async list(
    @Caller() caller: UserPrincipal,
    @UuidParam('id') id: string,
    @Query() query: ListTasksQuery,
  ): Promise<ExecutionTasksPage> {
    const { rows, nextCursor } = await listTasks(this.db, caller, id, query);
    const tasks = rows.map((task) => ({ ...taskView(task), thread_id: task.rootMessageId }));
    return { ok: true, execution_tasks: tasks, next_cursor: nextCursor };
  }
}
