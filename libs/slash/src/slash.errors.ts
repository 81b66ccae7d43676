import type { MessageRefusal } from '@tieline/conversations';
import { ApiError, badRequest, conflict, forbidden, notFound } from '@tieline/platform/http';

/* Registering commands (contract, Errors: "slash register", "slash"). */
export const nameInvalid = (): ApiError =>
  badRequest('name must match ^[a-z][a-z0-9_-]*$ and have 1 to 32 characters');
export const mustBeText = (field: string): ApiError => badRequest(`${field} must be a string`);
export const textTooLong = (field: string, max: number): ApiError =>
  badRequest(`${field} too long (max ${max} chars)`);
export const callbackUrlRequired = (): ApiError =>
  badRequest('callback_url is required unless the bot is in poll mode');
/** 402: 25 commands of a bot, 100 of a space. */
export const commandLimitReached = (): ApiError => new ApiError(402, 'command limit reached');
export const notYourCommands = (): ApiError => forbidden('token of another bot');
export const nameReserved = (): ApiError => conflict('name is reserved');
export const nameTaken = (): ApiError => conflict('name is already registered in the space');
export const commandNotFound = (): ApiError => notFound('command not found');

/* Giving commands (decisions, sections 5 and 8). */
export const textWithoutSlash = (): ApiError => badRequest('text must begin with a slash');
export const threadNotFound = (): ApiError => badRequest('thread_id: no such message in the conversation');

/* Replies by trigger (contract, Errors: "slash async reply"). */
export const triggerNotFound = (): ApiError => notFound('trigger not found');
export const triggerOfAnotherBot = (): ApiError => forbidden('trigger of another bot');
export const triggerUsed = (): ApiError => new ApiError(410, 'trigger already used');
export const triggerExpired = (): ApiError => new ApiError(410, 'trigger expired');

const REFUSALS: Readonly<Record<MessageRefusal, () => ApiError>> = {
  unknown_conversation: () => notFound('conversation not found'),
  not_member: () => forbidden('not a member of the conversation'),
  archived: () => forbidden('conversation is archived'),
  unknown_parent: threadNotFound,
};

/** Why nothing may be said in the conversation of an invocation. */
export const conversationRefused = (reason: MessageRefusal): ApiError => REFUSALS[reason]();
