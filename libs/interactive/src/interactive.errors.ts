import { chatErrors } from '@tieline/conversations';
import type { EditRefusal, MessageRefusal } from '@tieline/conversations';
import {
  ApiError,
  badRequest,
  conflict,
  forbidden,
  invalidField,
  notFound,
  unavailable,
} from '@tieline/platform/http';

/* 400: metadata_json as a whole is invalid. */
export const metadataNotString = (): ApiError =>
  invalidField('metadata_json', 'metadata_json must be a string');
export const metadataTooLarge = (): ApiError =>
  invalidField('metadata_json', 'metadata_json too large (max 32 KiB)');
export const metadataNotObject = (): ApiError =>
  invalidField('metadata_json', 'metadata_json must be the JSON text of an object');
/** 400: only the product writes these kinds, of agent runs and approvals. */
export const metadataKindReserved = (kind: string): ApiError =>
  invalidField('metadata_json', `metadata_json: kind ${kind} is reserved`);
/**
 * 400: one place inside metadata_json is invalid, such as `blocks[1].elements[0].action_id: is
 * required`.
 */
export const schemaViolation = (place: string, rule: string): ApiError =>
  invalidField('metadata_json', `${place}: ${rule}`);
/** 400: clicks could not be delivered to the bot. The text is part of the API. */
export const interactiveBlocksUndeliverable = (): ApiError =>
  badRequest(
    'interactive_blocks_undeliverable',
    'interactive blocks need a callback_url or poll mode',
    'metadata_json',
  );
/** 404: there is no secret to rotate. */
export const notConfigured = (): ApiError =>
  notFound('interactive_not_configured', 'interactive components are not configured');

/* 409: test clicks. */
export const botIsInactive = (): ApiError => conflict('bot_inactive', 'the bot is inactive');
export const clicksNotDeliverable = (): ApiError =>
  conflict('clicks_go_nowhere', 'the bot is not in poll mode and has no callback URL for clicks');

/* Clicks and submitted modals. */
export const fieldRequired = (field: string): ApiError => invalidField(field, `${field} is required`);
export const mustBeString = (field: string): ApiError => invalidField(field, `${field} must be a string`);
export const feedbackInvalid = (): ApiError =>
  invalidField('feedback', 'feedback must be positive, negative or none');
/** 404: no active bot of the space has this shortcut. */
export const shortcutNotFound = (): ApiError => notFound('shortcut_not_found', 'shortcut not found');
/** 403: a message shortcut would show the bot a message that it may not read. */
export const shortcutNotReadable = (): ApiError =>
  forbidden('shortcut_bot_cannot_read', 'the bot of this shortcut may not read the message');
export const actionGone = (): ApiError => gone('action_gone', 'action is no longer available');
export const notForYou = (): ApiError => forbidden('action_not_for_you', 'action is not for you');
/**
 * 410: the token has expired, was signed with a rotated secret, or belongs to something else. The
 * text does not reveal which.
 */
export const tokenRefused = (): ApiError => gone('signed_token_refused', 'signed token expired or invalid');
/** The field with the chosen values. */
export type SelectionField = 'selected_value' | 'selected_values';
/** 400: the element does not offer the value, such as `selected_value is not an option`. */
export const selectionInvalid = (field: SelectionField, rule: string): ApiError =>
  invalidField(field, `${field} ${rule}`);
export const selectionMismatch = (): ApiError =>
  selectionInvalid('selected_value', 'is not the first of selected_values');
const named = (botName: string): string => (botName === '' ? 'the bot' : `the bot "${botName}"`);
/** 503: the bot did not answer. Names the bot ("" if unknown), but not its address. */
export const botUnresponsive = (botName: string): ApiError =>
  unavailable('bot_did_not_answer', `${named(botName)} did not answer`);
/**
 * 503: the bot's answer is invalid. Has no Retry-After, because the bot may have done its work
 * already.
 */
export const botAnswerUnreadable = (botName: string): ApiError =>
  new ApiError(503, 'bot_answer_unreadable', `${named(botName)} sent an answer that Tieline could not read`);
export const modalNotFound = (): ApiError => notFound('modal_not_found', 'modal not found');
export const modalOfAnotherPerson = (): ApiError =>
  forbidden('modal_of_another_person', 'modal of another person');
export const modalGone = (): ApiError => gone('modal_gone', 'modal token already used or expired');
/** 409: another form is on top of this one. */
export const modalCovered = (): ApiError =>
  conflict('modal_covered', 'another modal is open on top of this one');
/** 409: the bot has not answered the submission of this validated modal yet. */
export const modalAwaitsAnswer = (): ApiError =>
  conflict('modal_awaits_answer', 'the bot has not answered the submission yet');
/** 400: some values are invalid. `errors` has a message for the person per field. */
export const valuesRefused = (errors: Readonly<Record<string, string>>): ApiError =>
  new ApiError(400, 'values_refused', 'some values are invalid', { field: 'values', errors });
export const fieldWithoutOptions = (): ApiError =>
  invalidField('field', 'field must be a field of the modal with options');
/**
 * 400: one place inside a validated modal is invalid, such as `open_modal.fields[0].id: is
 * required`.
 */
export const modalViolation = (place: string, rule: string): ApiError =>
  invalidField(place, `${place}: ${rule}`);
export const valuesMalformed = (): ApiError => invalidField('values', 'values must be an object');
export const valuesTooLarge = (): ApiError => invalidField('values', 'values too large (max 64 KiB)');

/* Bots' answers to interactions. */
export const answerUnknown = (): ApiError =>
  badRequest('answer_required', `one of ${ANSWER_KEYS} is required`);
export const answerAmbiguous = (): ApiError =>
  badRequest('answer_ambiguous', `only one of ${ANSWER_KEYS} is allowed`);
/** 400: `update_message` has neither `text` nor `metadata_json`. */
export const updateEmpty = (): ApiError =>
  invalidField('update_message', 'update_message: text or metadata_json is required');
export const chainTooDeep = (depth: number): ApiError =>
  badRequest('modal_chain_too_deep', `open_modal: at most ${depth} modals in a chain`, 'open_modal');
/** 400: the answer is only valid for submitted modals. */
export const answerNeedsModal = (kind: string): ApiError =>
  badRequest('answer_needs_modal', `${kind} can only answer a submitted modal`, kind);
export const stackTooDeep = (depth: number): ApiError =>
  badRequest(
    'modal_stack_too_deep',
    `push_modal: at most ${depth} modals on top of each other`,
    'push_modal',
  );
/** 400: a bot pushes a view on three others. */
export const viewStackFull = (depth: number): ApiError =>
  badRequest('modal_stack_too_deep', `at most ${depth} views on top of each other`, 'view');

/* Trigger ids. */
export const triggerNotFound = (): ApiError => notFound('trigger_not_found', 'trigger not found');
export const triggerOfAnotherBot = (): ApiError =>
  forbidden('trigger_of_another_bot', 'trigger of another bot');
export const triggerUsed = (): ApiError => gone('trigger_used', 'trigger already used');
export const triggerExpired = (): ApiError => gone('trigger_expired', 'trigger expired');
export const interactionNotFound = (): ApiError => notFound('interaction_not_found', 'interaction not found');
export const interactionOfAnotherBot = (): ApiError =>
  forbidden('interaction_of_another_bot', 'interaction of another bot');
export const interactionAnswered = (): ApiError =>
  gone('interaction_answered', 'interaction already answered');
export const interactionExpired = (): ApiError => gone('interaction_expired', 'interaction expired');

/* Late answers. */
export const responseNotFound = (): ApiError => notFound('response_not_found', 'response token not found');
export const responseOfAnotherBot = (): ApiError =>
  forbidden('response_of_another_bot', 'response token of another bot');
export const responseExpired = (): ApiError => gone('response_expired', 'response token expired');
export const responseUsedUp = (): ApiError => gone('response_used_up', 'response token used too many times');
export const originalMissing = (): ApiError =>
  badRequest('no_original', 'the command has posted no message yet');
export const lateAnswerAmbiguous = (possible: readonly string[]): ApiError =>
  badRequest('answer_ambiguous', `only one of ${possible.join(', ')} is allowed`);
export const lateAnswerUnknown = (possible: readonly string[]): ApiError =>
  badRequest('answer_required', `one of ${possible.join(', ')} is required`);

const ANSWER_KEYS =
  'update_message, send_message, ephemeral_text, open_modal, noop, errors, update_modal, push_modal';

/** Returns the error for a refused `delete_message` or `update_message`. */
export const editRefused = (reason: EditRefusal): ApiError =>
  chatErrors.botRefused(reason === 'not_member' ? 'not_author' : reason);
/** Returns the error for a refused `send_message`. Its parent is the message that was clicked. */
export const postRefused = (reason: MessageRefusal): ApiError =>
  reason === 'unknown_parent' ? chatErrors.messageDeleted() : chatErrors.botRefused(reason);

function gone(code: string, text: string): ApiError {
  return new ApiError(410, code, text);
}
