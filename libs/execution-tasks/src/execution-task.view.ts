import type { Artifact, ExecutionTask } from './execution-task.queries.js';
import type { TaskStatus } from './execution-task.states.js';

/** The contract's execution_task object. */
export interface ExecutionTaskView {
  widget_id: string;
  conversation_id: string;
  /** Absent until a run is linked. */
  agent_run_id?: string;
  status: TaskStatus;
  title: string;
  description: string;
  public_text: string;
  error_code: string;
  sequence: number;
  artifacts: Artifact[];
  created_at: string;
  updated_at: string;
  closed_at: string | null;
}

/** A task as bots and people see it. */
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
    // Written field by field: the database orders the keys of stored JSON in its own way.
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

/** The contract's runtime_capability object; `token` only in the answer that made it. */
export function capabilityView(task: ExecutionTask, token: string | undefined) {
  return {
    ...(token !== undefined && { token }),
    token_prefix: task.capabilityPrefix,
    allowed_actions: task.allowedActions,
    expires_at: task.capabilityExpiresAt.toISOString(),
  };
}

/** For the OpenAPI document. */
export const TASK_EXAMPLE = {
  widget_id: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41',
  conversation_id: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d42',
  agent_run_id: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d43',
  status: 'completed' as const,
  title: 'Quarterly report',
  description: 'Revenue by region',
  public_text: 'The report is attached',
  error_code: '',
  sequence: 4,
  artifacts: [
    {
      file_id: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d44',
      file_name: 'report.pdf',
      mime_type: 'application/pdf',
      file_size: 48213,
    },
  ],
  created_at: '2026-01-31T09:00:00.123Z',
  updated_at: '2026-01-31T09:05:00.456Z',
  closed_at: null,
} satisfies ExecutionTaskView;

/** For the OpenAPI document. */
export const CAPABILITY_EXAMPLE = {
  token: 'tlc_Q29uZ3JhdHVsYXRpb25zLCB5b3UgZm91bmQgaXQhISE',
  token_prefix: 'tlc_Q29uZ3Jh',
  allowed_actions: ['update', 'cancel'],
  expires_at: '2026-02-01T09:00:00.123Z',
};
