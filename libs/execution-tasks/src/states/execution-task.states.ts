/** Statuses of a task. */
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

/** Statuses a bot may set with action `update`. */
export const UPDATE_STATUSES = [
  'open',
  'in_progress',
  'blocked',
  'completed',
] as const satisfies readonly TaskStatus[];

/** Actions of bots, which a capability may allow. */
export const TASK_ACTIONS = ['update', 'complete', 'fail', 'cancel'] as const;
export type TaskAction = (typeof TASK_ACTIONS)[number];

/** Decisions of people about completed work. */
export const DECISIONS = ['accepted', 'rejected'] as const satisfies readonly TaskStatus[];
export type Decision = (typeof DECISIONS)[number];

/** Final statuses of a linked run. */
export type RunEnd = 'completed' | 'failed' | 'cancelled' | 'expired';

const TERMINAL: ReadonlySet<TaskStatus> = new Set<TaskStatus>([
  'accepted',
  'rejected',
  'cancelled',
  'closed',
]);

/** Whether a status is terminal. */
export function isTerminal(status: TaskStatus): boolean {
  return TERMINAL.has(status);
}

/**
 * Whether a transition is allowed: from any status that is not terminal, and reviews only for
 * completed work.
 */
export function canTransition(current: TaskStatus, wanted: TaskStatus): boolean {
  if (isTerminal(current)) return false;
  return current === 'completed' || (wanted !== 'accepted' && wanted !== 'rejected');
}

const BY_ACTION: Readonly<Record<Exclude<TaskAction, 'update'>, TaskStatus>> = {
  complete: 'completed',
  fail: 'blocked',
  cancel: 'cancelled',
};

/**
 * Returns the status after an action. `given` is the requested status, which only `update` uses.
 */
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

/** Returns the status after the end of the linked run. */
export function statusAfterRun(end: RunEnd): TaskStatus {
  return BY_RUN_END[end];
}
