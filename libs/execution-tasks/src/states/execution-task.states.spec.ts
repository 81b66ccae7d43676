import {
  isTerminal,
  canTransition,
  statusAfter,
  statusAfterRun,
  TASK_STATUSES,
} from './execution-task.states.js';
import type { TaskStatus } from './execution-task.states.js';

const OPEN: TaskStatus[] = ['open', 'in_progress', 'blocked', 'completed'];
const TERMINAL: TaskStatus[] = ['accepted', 'rejected', 'cancelled', 'closed'];

test('eight statuses, four of them terminal', () => {
  expect(TASK_STATUSES.filter(isTerminal)).toEqual(TERMINAL);
  expect(TASK_STATUSES.filter((status) => !isTerminal(status))).toEqual(OPEN);
});

const ANY_WORK: TaskStatus[] = ['open', 'in_progress', 'blocked', 'completed', 'cancelled', 'closed'];
const MOVES: Readonly<Record<TaskStatus, TaskStatus[]>> = {
  open: ANY_WORK,
  in_progress: ANY_WORK,
  blocked: ANY_WORK,
  completed: [...TASK_STATUSES],
  accepted: [],
  rejected: [],
  cancelled: [],
  closed: [],
};

test.each(
  TASK_STATUSES.flatMap((from) => TASK_STATUSES.map((to) => [from, to, MOVES[from].includes(to)] as const)),
)('%s → %s: %s', (from, to, allowed) => {
  expect(canTransition(from, to)).toBe(allowed);
});

test.each([
  ['update', 'open', undefined, 'open'],
  ['update', 'completed', undefined, 'completed'],
  ['update', 'open', 'in_progress', 'in_progress'],
  ['complete', 'open', undefined, 'completed'],
  ['fail', 'in_progress', undefined, 'blocked'],
  ['cancel', 'blocked', undefined, 'cancelled'],
  ['complete', 'open', 'blocked', 'completed'],
] as const)('%s from %s with %s leads to %s', (action, current, given, expected) => {
  expect(statusAfter(action, current, given)).toBe(expected);
});

test.each([
  ['completed', 'completed'],
  ['failed', 'blocked'],
  ['cancelled', 'cancelled'],
  ['expired', 'blocked'],
] as const)('a run that is %s leaves the task %s', (end, status) => {
  expect(statusAfterRun(end)).toBe(status);
});
