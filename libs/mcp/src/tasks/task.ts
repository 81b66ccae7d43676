import type { CallToolResult } from '@modelcontextprotocol/server';

/** Name of the extension in capabilities. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** The task that stands for a pending approval (docs/mcp.md#tasks). */
export interface Task {
  /** The approval's id. */
  taskId: string;
  status: 'working' | 'completed' | 'cancelled';
  statusMessage: string;
  createdAt: string;
  lastUpdatedAt: string;
  ttlMs: number;
  pollIntervalMs: number;
  /** With status `completed`: what the tool would have returned. */
  result?: CallToolResult;
}

/** The part of an approval that its task shows. */
export interface ApprovalOfTask {
  id: string;
  state: string;
  title: string;
  reason?: string;
  created_at: string;
  updated_at: string;
}

const DAY_MS = 86_400_000;
/** Approvals are kept for at least 31 days, and pending for at most 30. */
const TTL_MS = 31 * DAY_MS;
/** People take their time. */
const POLL_MS = 5_000;

/** Returns the task of an approval, without its result. */
export function taskOf({ id, state, title, reason, created_at, updated_at }: ApprovalOfTask): Task {
  const status = state === 'pending' ? 'working' : state === 'cancelled' ? 'cancelled' : 'completed';
  return {
    taskId: id,
    status,
    statusMessage: status === 'working' ? `Waiting for people to decide: ${title}` : (reason ?? state),
    createdAt: created_at,
    lastUpdatedAt: updated_at,
    ttlMs: TTL_MS,
    pollIntervalMs: POLL_MS,
  };
}
