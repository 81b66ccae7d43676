import type { EditRefusal, MessageRefusal } from '@tieline/conversations';
import { ApiError, badRequest, conflict, forbidden, notFound, unavailable } from '@tieline/platform/http';

/* 400s of metadata_json as a whole (decisions, sections 3 and 5). */
export const metadataNoText = (): ApiError => badRequest('metadata_json must be a string');
export const metadataTooLarge = (): ApiError => badRequest('metadata_json too large (max 32 KiB)');
export const metadataNoObject = (): ApiError =>
  badRequest('metadata_json must be the JSON text of an object');
/** 400 for the kind that the product alone writes, into placeholders of runs (decisions, section 11.4). */
export const metadataKindReserved = (): ApiError => badRequest('metadata_json: kind agent_run is reserved');
/** 400 for one place inside metadata_json, such as `blocks[1].elements[0].action_id: is required`. */
export const schemaViolation = (place: string, rule: string): ApiError => badRequest(`${place}: ${rule}`);
/** 400, letter for letter (decisions, section 5): the bot could not be told about a click. */
export const interactiveBlocksUndeliverable = (): ApiError =>
  badRequest('interactive blocks need a callback_url or poll mode');
/** 404 for a rotation where there is nothing to rotate (decisions, section 5). */
export const notConfigured = (): ApiError => notFound('interactive components are not configured');

/* Clicks and submitted modals (decisions, section 5: the order of checks; contract, Errors: "interactive"). */
export const messageNotFound = (): ApiError => notFound('message not found');
export const notReadable = (): ApiError => forbidden('no access to the conversation');
export const notMember = (): ApiError => forbidden('not a member of the conversation');
export const messageDeleted = (): ApiError => gone('message deleted');
export const conversationIsArchived = (): ApiError => forbidden('conversation is archived');
export const actionIdRequired = (): ApiError => badRequest('action_id is required');
export const actionGone = (): ApiError => gone('action is no longer available');
export const notForYou = (): ApiError => forbidden('action is not for you');
export const tokenRequired = (): ApiError => badRequest('signed_token is required');
/** 410 for a token that is expired, of a rotated secret, or of something else; the text does not tell which. */
export const tokenRefused = (): ApiError => gone('signed token expired or invalid');
export const notAnOption = (): ApiError => badRequest('selected_value is not an option');
/** 503 for whatever goes wrong with the bot's answer; it names no address. */
export const noAnswer = (): ApiError => unavailable('the bot did not answer');
export const modalNotFound = (): ApiError => notFound('modal not found');
export const modalOfAnotherPerson = (): ApiError => forbidden('modal of another person');
export const modalGone = (): ApiError => gone('modal token used or expired');
export const valuesMalformed = (): ApiError => badRequest('values must be an object');
export const valuesTooLarge = (): ApiError => badRequest('values too large (max 64 KiB)');

/* Answers of bots (decisions, section 5: `respond`). */
export const answerUnknown = (): ApiError => badRequest(`one of ${ANSWER_KEYS} is required`);
export const answerAmbiguous = (): ApiError => badRequest(`only one of ${ANSWER_KEYS} is possible`);
export const chainTooDeep = (depth: number): ApiError =>
  badRequest(`open_modal: at most ${depth} modals in a chain`);
export const interactionNotFound = (): ApiError => notFound('interaction not found');
export const interactionOfAnotherBot = (): ApiError => forbidden('interaction of another bot');
export const interactionAnswered = (): ApiError => gone('interaction already answered');
export const interactionExpired = (): ApiError => gone('interaction expired');

const ANSWER_KEYS = 'update_message, send_message, ephemeral_text, open_modal, noop';

const POST_REFUSALS: Readonly<Record<MessageRefusal, () => ApiError>> = {
  unknown_conversation: () => forbidden('bot not in conversation'),
  not_member: () => forbidden('bot not in conversation'),
  archived: conversationIsArchived,
  unknown_parent: messageDeleted,
};
const EDIT_REFUSALS: Readonly<Record<EditRefusal, () => ApiError>> = {
  unknown_message: messageNotFound,
  not_author: () => forbidden('message of another author'),
  not_member: () => forbidden('message of another author'),
  deleted: messageDeleted,
  guarded: () => conflict('message belongs to a run that works'),
};

/** Why a bot's `send_message` was not posted. */
export const postRefused = (reason: MessageRefusal): ApiError => POST_REFUSALS[reason]();
/** Why a bot's `update_message` changed nothing. */
export const editRefused = (reason: EditRefusal): ApiError => EDIT_REFUSALS[reason]();

function gone(text: string): ApiError {
  return new ApiError(410, text);
}
