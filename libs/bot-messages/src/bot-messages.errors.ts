import { ApiError, badRequest, conflict, forbidden, notFound } from '@tieline/platform/http';

/* Contract, Errors, and decisions, section 3: where a bot may write. */
export const botNotInConversation = (): ApiError => forbidden('bot not in conversation');
export const conversationIsArchived = (): ApiError => forbidden('conversation is archived');
/** 400 for a parent that is no message of the conversation or of its threads. */
export const parentNotFound = (): ApiError => badRequest('parent message not found in this conversation');

/* Editing (decisions, section 3). */
export const messageNotFound = (): ApiError => notFound('message not found');
export const notTheAuthor = (): ApiError => forbidden('message of another author');
export const messageDeleted = (): ApiError => new ApiError(410, 'message deleted');
/** 409 for a placeholder: decisions, section 6. */
export const messageBelongsToRun = (): ApiError =>
  conflict('message belongs to an agent run that is not finished');
