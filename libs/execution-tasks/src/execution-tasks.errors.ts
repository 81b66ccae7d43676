import { ApiError, badRequest, conflict, forbidden, notFound } from '@tieline/platform/http';

/** 400 for a malformed uuid in a path (contract, Errors). */
export const widgetIdMalformed = (): ApiError => badRequest('widget_id must be a uuid');
/** 400 in the contract's words (Errors). */
export const conversationIdRequired = (): ApiError => badRequest('conversation_id is required');
/** 400 for a parent that is no message of the conversation or of its threads. */
export const parentNotFound = (): ApiError => badRequest('parent message not found in this conversation');

/* 403 (contract, Errors; decisions, section 6). */
export const botNotInConversation = (): ApiError => forbidden('bot not in conversation');
export const conversationIsArchived = (): ApiError => forbidden('conversation is archived');
export const taskOfAnotherBot = (): ApiError => forbidden('execution task of another bot');
export const notMember = (): ApiError => forbidden('not a member of the conversation');
export const notReadable = (): ApiError => forbidden('no access to the conversation');

/** 403 for an action that the capability was not given (decisions, section 6). */
export const actionNotAllowed = (): ApiError => forbidden('the capability does not allow this action');
/** Contract, Errors: 410. */
export const capabilityGone = (): ApiError => new ApiError(410, 'capability expired or unknown');

export const taskNotFound = (): ApiError => notFound('execution task not found');

/* 409 (contract, States and Errors). */
export const taskIsTerminal = (): ApiError => conflict('execution task is finished');
export const notCompleted = (): ApiError => conflict('only a completed execution task is reviewed');
export const staleSequence = (): ApiError => conflict('stale sequence');
export const keyReused = (): ApiError => conflict('idempotency key was used for another request');
export const activeTaskExists = (): ApiError =>
  conflict('an active execution task already exists in the thread');
export const runActive = (): ApiError => conflict('execution task has an agent run that is not finished');
