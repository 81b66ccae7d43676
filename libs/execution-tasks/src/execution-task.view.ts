import { Field, OkAnswer, PageAnswer } from '@tieline/platform/http';
import type { Artifact, ExecutionTask } from './execution-task.entity.js';
import { TASK_STATUSES } from './states/execution-task.states.js';
import type { TaskAction, TaskStatus } from './states/execution-task.states.js';

export class ArtifactView implements Artifact {
  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d44' })
  file_id: string;

  @Field({ example: 'report.pdf' })
  file_name: string;

  @Field({ example: 'application/pdf' })
  mime_type: string;

  @Field({ example: 48_213, description: 'bytes' })
  file_size: number;
}

/** The execution task object: docs/execution-tasks.md#the-task-object. */
export class ExecutionTaskView {
  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41' })
  widget_id: string;

  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d42' })
  conversation_id: string;

  @Field({
    example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d43',
    optional: true,
    description: 'absent until a run is linked',
  })
  agent_run_id?: string;

  @Field({ enum: TASK_STATUSES, example: 'completed' })
  status: TaskStatus;

  @Field({ example: 'Quarterly report' })
  title: string;

  @Field({ example: 'Revenue by region' })
  description: string;

  @Field({ example: 'The report is attached' })
  public_text: string;

  @Field({ example: '' })
  error_code: string;

  @Field({ example: 4 })
  sequence: number;

  @Field({ type: ArtifactView, isArray: true })
  artifacts: ArtifactView[];

  @Field({ example: '2026-01-31T09:00:00.123Z' })
  created_at: string;

  @Field({ example: '2026-01-31T09:05:00.456Z' })
  updated_at: string;

  @Field({
    example: '2026-01-31T09:05:00.456Z',
    nullable: true,
    description: 'when the task reached its final status',
  })
  closed_at: string | null;
}

/** A task in the list of its conversation. */
export class ListedTaskView extends ExecutionTaskView {
  @Field({
    example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d45',
    description: "root message of the task's thread",
  })
  thread_id: string;
}

/** Response to GET /client/conversations/{id}/execution_tasks. */
export class ExecutionTasksPage extends PageAnswer {
  @Field({ type: ListedTaskView, isArray: true })
  execution_tasks: ListedTaskView[];
}

/** The runtime capability object: docs/execution-tasks.md#capability-token. */
export class CapabilityView {
  @Field({
    example: 'tlc_Q29uZ3JhdHVsYXRpb25zLCB5b3UgZm91bmQgaXQhISE',
    optional: true,
    description: 'only in the response that created it',
  })
  token?: string;

  @Field({ example: 'tlc_Q29uZ3Jh' })
  token_prefix: string;

  @Field({ example: ['update', 'cancel'] })
  allowed_actions: TaskAction[];

  @Field({ example: '2026-02-01T09:00:00.123Z' })
  expires_at: string;
}

export class ExecutionTaskAnswer extends OkAnswer {
  @Field({ type: ExecutionTaskView })
  execution_task: ExecutionTaskView;
}

export class CreatedTaskAnswer extends ExecutionTaskAnswer {
  @Field({ type: CapabilityView })
  runtime_capability: CapabilityView;
}

/** Converts a task to the view for bots and people. */
export function taskView(task: ExecutionTask): ExecutionTaskView {
  return {
    widget_id: task.widgetId,
    conversation_id: task.conversationId,
    ...(task.agentRunId !== null && { agent_run_id: task.agentRunId }),
    status: task.status,
    title: task.title,
    description: task.description,
    public_text: task.publicText,
    error_code: task.errorCode,
    sequence: task.sequence,
    // Lists fields explicitly, because Postgres reorders the keys of stored JSON.
    artifacts: task.artifacts.map(({ file_id, file_name, mime_type, file_size }) => ({
      file_id,
      file_name,
      mime_type,
      file_size,
    })),
    created_at: task.createdAt.toISOString(),
    updated_at: task.updatedAt.toISOString(),
    closed_at: task.closedAt?.toISOString() ?? null,
  };
}

export function capabilityView(task: ExecutionTask, token: string | undefined): CapabilityView {
  return {
    ...(token !== undefined && { token }),
    token_prefix: task.capabilityPrefix,
    allowed_actions: task.allowedActions,
    expires_at: task.capabilityExpiresAt.toISOString(),
  };
}

export function taskAnswer(task: ExecutionTask): ExecutionTaskAnswer {
  return { ok: true, execution_task: taskView(task) };
}
