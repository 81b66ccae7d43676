import { ApiError, badRequest, conflict, forbidden, notFound } from '@tieline/platform/http';
import { RUN_STATUSES } from './states/agent-run.states.js';

/* 400 (contract, Agent runs, Errors and Limits); the first text is the contract's. */
export const contentTooLong = (): ApiError => badRequest('content too long (max 4000 chars)');
export const publicTextTooLong = (): ApiError => badRequest('public_text too long (max 4000 chars)');
export const mustBeText = (field: string): ApiError => badRequest(`${field} must be a string`);
export const runIdMalformed = (): ApiError => badRequest('run_id must be a uuid');
export const statusRequired = (): ApiError => badRequest('status is required');
export const statusUnknown = (): ApiError => badRequest(`status must be one of ${RUN_STATUSES.join(', ')}`);
export const sequenceInvalid = (): ApiError =>
  badRequest('sequence must be an integer from 1 to 9223372036854775807');
export const publicTextRequired = (): ApiError => badRequest('public_text is required for completed');
export const errorCodeInvalid = (): ApiError =>
  badRequest('error_code must be up to 64 letters, digits and _');
export const attachmentsMalformed = (): ApiError =>
  badRequest('attachments must be a list of objects with file_id');
export const tooManyAttachments = (): ApiError => badRequest('too many attachments (max 15)');
export const attachmentTwice = (): ApiError => badRequest('a file is attached twice');
export const attachmentsNotCompleted = (): ApiError =>
  badRequest('attachments are accepted only with completed');
/** The trigger is no message of a person there. */
export const triggerNotFound = (): ApiError => badRequest('trigger message not found in this conversation');
/** The parent is no message of the conversation or of its threads. */
export const parentNotFound = (): ApiError => badRequest('parent message not found in this conversation');

/* 403: where a bot may write. */
export const botNotInConversation = (): ApiError => forbidden('bot not in conversation');
export const conversationIsArchived = (): ApiError => forbidden('conversation is archived');

export const runNotFound = (): ApiError => notFound('agent run not found');

/* 409 (contract, States and Errors). */
export const runIsFinished = (): ApiError => conflict('agent run is finished');
export const runIsLinked = (): ApiError => conflict('agent run is linked to an execution task');
export const staleSequence = (): ApiError => conflict('stale sequence');
export const keyReused = (): ApiError =>
  conflict('idempotency key was used for another conversation or trigger');
