import { ApiError, conflict, forbidden, invalidField, notFound } from '@tieline/platform/http';

/** 400: malformed uuid in a path. */
export const widgetIdMalformed = (): ApiError => invalidField('widget_id', 'widget_id must be a uuid');
/** 400: docs/execution-tasks.md#errors-and-rates. */
export const conversationIdRequired = (): ApiError =>
  invalidField('conversation_id', 'conversation_id is required');
export const taskOfAnotherBot = (): ApiError =>
  forbidden('task_of_another_bot', 'execution task of another bot');

/** 403: the capability does not allow the action. */
export const actionNotAllowed = (): ApiError =>
  forbidden('action_not_allowed', 'the capability does not allow this action');
/** 410 for an expired or unknown capability. */
export const capabilityGone = (): ApiError =>
  new ApiError(410, 'capability_gone', 'capability expired or unknown');

export const taskNotFound = (): ApiError => notFound('task_not_found', 'execution task not found');

/** 409 for a task in a final status. */
export const taskIsTerminal = (): ApiError => conflict('task_finished', 'execution task is finished');
export const notCompleted = (): ApiError =>
  conflict('task_not_completed', 'only a completed execution task is reviewed');
export const staleSequence = (): ApiError => conflict('stale_sequence', 'stale sequence', 'sequence');
export const keyReused = (): ApiError =>
  conflict('idempotency_key_reused', 'idempotency key was used for another request');
export const activeTaskExists = (): ApiError =>
  conflict('active_task_exists', 'an active execution task already exists in the thread');
export const runActive = (): ApiError =>
  conflict('run_active', 'execution task has an agent run that is not finished');
