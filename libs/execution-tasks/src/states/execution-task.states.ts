/** Statuses of a task (contract, States; decisions, section 6). */
export const TASK_STATUSES = [
  'open',
  'in_progress',
  'blocked',
  'completed',
  'accepted',
  'rejected',
  'cancelled',
  'closed',
] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** What a bot may set with action `update`. */
export const UPDATE_STATUSES = [
  'open',
  'in_progress',
  'blocked',
  'completed',
] as const satisfies readonly TaskStatus[];

/** What a bot may do, and what its capability may allow. */
export const TASK_ACTIONS = ['update', 'complete', 'fail', 'cancel'] as const;
export type TaskAction = (typeof TASK_ACTIONS)[number];

/** What a person may decide about completed work. */
export const DECISIONS = ['accepted', 'rejected'] as const satisfies readonly TaskStatus[];
export type Decision = (typeof DECISIONS)[number];

/** How a linked run may end. */
export type RunEnd = 'completed' | 'failed' | 'cancelled' | 'expired';

const TERMINAL: ReadonlySet<TaskStatus> = new Set<TaskStatus>([
  'accepted',
  'rejected',
  'cancelled',
  'closed',
]);

/** Whether nothing can change a task any more. */
export function isTerminal(status: TaskStatus): boolean {
  return TERMINAL.has(status);
}

/**
 * Whether a task may go from one status to another: from any that is not terminal, but only
 * completed work is reviewed.
 */
export function mayBecome(current: TaskStatus, wanted: TaskStatus): boolean {
  if (isTerminal(current)) return false;
  return current === 'completed' || (wanted !== 'accepted' && wanted !== 'rejected');
}

const BY_ACTION: Readonly<Record<Exclude<TaskAction, 'update'>, TaskStatus>> = {
  complete: 'completed',
  fail: 'blocked',
  cancel: 'cancelled',
};

/** Where an action leads; `given` is the status sent with it, which only `update` heeds. */
export function statusAfter(
  action: TaskAction,
  current: TaskStatus,
  given: TaskStatus | undefined,
): TaskStatus {
  return action === 'update' ? (given ?? current) : BY_ACTION[action];
}

const BY_RUN_END: Readonly<Record<RunEnd, TaskStatus>> = {
  completed: 'completed',
  failed: 'blocked',
  cancelled: 'cancelled',
  expired: 'blocked',
};

/** Where the end of the linked run leads. */
export function statusAfterRun(end: RunEnd): TaskStatus {
  return BY_RUN_END[end];
}
