import { ApiError, badRequest, conflict, invalidField, notFound } from '@tieline/platform/http';
import { RUN_STATUSES } from './states/agent-run.states.js';

/** 400: docs/agent-runs.md#errors-and-rates. */
export const contentTooLong = (): ApiError => invalidField('content', 'content too long (max 4000 chars)');
export const publicTextTooLong = (): ApiError =>
  invalidField('public_text', 'public_text too long (max 4000 chars)');
export const mustBeText = (field: string): ApiError => invalidField(field, `${field} must be a string`);
export const appendTooLong = (): ApiError => invalidField('append', 'public_text too long (max 4000 chars)');
export const appendAndText = (): ApiError =>
  invalidField('append', 'append and public_text exclude each other');
export const runIdMalformed = (): ApiError => invalidField('run_id', 'run_id must be a uuid');
export const statusRequired = (): ApiError => invalidField('status', 'status is required');
export const statusUnknown = (): ApiError =>
  invalidField('status', `status must be one of ${RUN_STATUSES.join(', ')}`);
export const sequenceRequired = (): ApiError => invalidField('sequence', 'sequence is required');
export const sequenceInvalid = (): ApiError =>
  invalidField('sequence', 'sequence must be an integer from 1 to 9223372036854775807');
export const publicTextRequired = (): ApiError =>
  invalidField('public_text', 'public_text is required for completed');
export const errorCodeInvalid = (): ApiError =>
  invalidField('error_code', 'error_code must be up to 64 letters, digits and _');
export const attachmentsMalformed = (): ApiError =>
  invalidField('attachments', 'attachments must be a list of objects with file_id');
export const tooManyAttachments = (): ApiError =>
  invalidField('attachments', 'too many attachments (max 15)');
export const attachmentTwice = (): ApiError => invalidField('attachments', 'a file is attached twice');
export const attachmentsNotCompleted = (): ApiError =>
  invalidField('attachments', 'attachments are accepted only with completed');
/** The trigger is not a message of a person in the conversation. */
export const triggerNotFound = (): ApiError =>
  badRequest(
    'trigger_message_not_found',
    'trigger message not found in this conversation',
    'trigger_message_id',
  );
export const runNotFound = (): ApiError => notFound('run_not_found', 'agent run not found');

/** 409: docs/agent-runs.md#update-a-run. */
export const runIsFinished = (): ApiError => conflict('run_finished', 'agent run is finished');
export const runIsTerminal = (): ApiError => conflict('run_is_terminal', 'agent run is finished');
export const runIsLinked = (): ApiError => conflict('run_linked', 'agent run is linked to an execution task');
export const staleSequence = (): ApiError => conflict('stale_sequence', 'stale sequence', 'sequence');
export const keyReused = (): ApiError =>
  conflict('idempotency_key_reused', 'idempotency key was used for another conversation or trigger');
