import { ApiError, badRequest, conflict, forbidden, invalidField, notFound } from '@tieline/platform/http';

/** 400: malformed uuid in a path. */
export const widgetIdMalformed = (): ApiError => invalidField('widget_id', 'widget_id must be a uuid');
/** 400: docs/execution-tasks.md#errors-and-rates. */
export const conversationIdRequired = (): ApiError =>
  invalidField('conversation_id', 'conversation_id is required');
/** 400: the parent must be a message in the conversation or its threads. */
export const parentNotFound = (): ApiError =>
  badRequest('parent_not_found', 'parent message not found in this conversation', 'parent_message_id');

/** 403: the bot has no access to the conversation. */
export const botNotInConversation = (): ApiError =>
  forbidden('bot_not_in_conversation', 'bot not in conversation');
export const conversationIsArchived = (): ApiError =>
  forbidden('conversation_archived', 'conversation is archived');
export const taskOfAnotherBot = (): ApiError =>
  forbidden('task_of_another_bot', 'execution task of another bot');
export const notMember = (): ApiError => forbidden('not_a_member', 'not a member of the conversation');
export const notReadable = (): ApiError => forbidden('not_readable', 'no access to the conversation');

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
