import { chatErrors } from '@tieline/conversations';
import type { MessageRefusal } from '@tieline/conversations';
import { ApiError, badRequest, conflict, forbidden, invalidField, notFound } from '@tieline/platform/http';

/* Registering commands. */
export const nameInvalid = (): ApiError =>
  invalidField('name', 'name must match ^[a-z][a-z0-9_-]*$ and have 1 to 32 characters');
export const nameRequired = (): ApiError => invalidField('name', 'name is required');
export const mustBeText = (field: string): ApiError => invalidField(field, `${field} must be a string`);
export const textTooLong = (field: string, max: number): ApiError =>
  invalidField(field, `${field} too long (max ${max} chars)`);
export const callbackUrlRequired = (): ApiError =>
  invalidField('callback_url', 'callback_url is required unless the bot is in poll mode');
/** 402: a bot can have 25 commands, a space 100. */
export const commandLimitReached = (): ApiError =>
  new ApiError(402, 'limit_reached', 'command limit reached');
export const notYourCommands = (): ApiError => forbidden('token_of_another_bot', 'token of another bot');
export const nameReserved = (): ApiError => conflict('name_reserved', 'name is reserved', 'name');
export const nameTaken = (): ApiError =>
  conflict('name_taken', 'name is already registered in the space', 'name');
export const commandNotFound = (): ApiError => notFound('command_not_found', 'command not found');

export const unknownOption = (): ApiError =>
  badRequest('option_not_found', 'the command has no such option', 'option');
/** 400: a field of an option is invalid; `$property` is its place. */
export const optionRule = (rule: string): ApiError => invalidField(undefined, `$property: ${rule}`);
export const requiredFirst = (): ApiError =>
  invalidField('options', 'options: required options must come first');
export const optionsTooMany = (max: number): ApiError =>
  invalidField('options', `options must be a list of up to ${max} options`);

/* Running commands. */
export const textWithoutSlash = (): ApiError => invalidField('text', 'text must start with a slash');
export const threadNotFound = (): ApiError =>
  badRequest('parent_not_found', 'thread_id: no such message in the conversation', 'thread_id');

/** Returns the error if nothing can be posted in the conversation of an invocation. */
export const conversationRefused = (reason: MessageRefusal): ApiError =>
  reason === 'unknown_parent' ? threadNotFound() : chatErrors.personRefused(reason);
/** 400: the acknowledgement contains no valid answer to a command. */
export const commandAnswerInvalid = (): ApiError =>
  invalidField('answer', 'the answer is not a valid answer to a command');
