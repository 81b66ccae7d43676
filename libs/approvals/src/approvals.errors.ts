import { ApiError, badRequest, conflict, forbidden, invalidField, notFound } from '@tieline/platform/http';

/* Requests of bots. */
export const optionsInvalid = (text: string): ApiError => invalidField('options', `options ${text}`);
export const approversInvalid = (text: string): ApiError => invalidField('approvers', `approvers ${text}`);
export const formInvalid = (text: string): ApiError => invalidField('form', `form ${text}`);
export const argumentsInvalid = (text: string): ApiError => invalidField('arguments', `arguments ${text}`);
/** 400: not an active person of the space. */
export const approverNotFound = (): ApiError =>
  badRequest('user_not_found', 'user not found', 'approvers.user_ids');
export const requesterNotFound = (): ApiError =>
  badRequest('user_not_found', 'user not found', 'requested_by');
/** 400: not a run or task of the bot. */
export const runNotFound = (): ApiError => badRequest('run_not_found', 'agent run not found', 'agent_run_id');
export const taskNotFound = (): ApiError =>
  badRequest('task_not_found', 'execution task not found', 'execution_task_id');
/** 409: docs/approvals.md#repeats. */
export const externalIdReused = (): ApiError =>
  conflict('external_id_reused', 'external_id was used for another approval', 'external_id');
export const tooManyPending = (): ApiError =>
  conflict('limit_reached', 'a bot has at most 1,000 pending approvals');

/* Requests of people and bots. */
export const approvalNotFound = (): ApiError => notFound('approval_not_found', 'approval not found');
export const approvalOfAnotherBot = (): ApiError =>
  forbidden('approval_of_another_bot', 'approval of another bot');
export const notAnApprover = (): ApiError => forbidden('not_an_approver', 'you may not decide this approval');
/** 403: only admins and owners may choose an option of kind `approve_always`. */
export const alwaysNeedsAdmin = (): ApiError =>
  forbidden('not_an_approver', 'only admins and owners may approve always');
export const optionUnknown = (): ApiError =>
  invalidField('option_id', 'option_id must be the id of an option of the approval');
export const valuesTooLarge = (): ApiError => invalidField('values', 'values too large (max 16 KiB)');
/** 400: some values of the form are invalid. `errors` has a message for the person per field. */
export const valuesRefused = (errors: Readonly<Record<string, string>>): ApiError =>
  new ApiError(400, 'values_refused', 'some values are invalid', { field: 'values', errors });
/** 409, with the approval. */
export const approvalDecided = (approval: object): ApiError =>
  new ApiError(409, 'approval_decided', 'the approval is already decided', { object: { approval } });
export const approvalExpired = (): ApiError =>
  new ApiError(410, 'approval_expired', 'the approval has expired');

/* Rules. */
export const ruleInvalid = (field: string, text: string): ApiError =>
  invalidField(`rule.${field}`, `rule.${field} ${text}`);
export const ruleNotFound = (): ApiError => notFound('approval_rule_not_found', 'approval rule not found');
export const tooManyRules = (): ApiError =>
  conflict('limit_reached', 'a bot has at most 1,000 approval rules');
