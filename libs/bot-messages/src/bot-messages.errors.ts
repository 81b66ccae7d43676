import { ApiError, badRequest, conflict, forbidden, notFound } from '@tieline/platform/http';

/* 400s of message bodies; the first four texts are the contract's (Errors), in the order in which they are checked. */
export const conversationIdRequired = (): ApiError => badRequest('conversation_id is required');
export const contentOrAttachmentsRequired = (): ApiError => badRequest('content or attachments required');
export const contentTooLong = (): ApiError => badRequest('content too long (max 4000 chars)');
export const contentRequired = (): ApiError => badRequest('content is required');
export const mustBeText = (field: string): ApiError => badRequest(`${field} must be a string`);
export const mustBeUuid = (field: string): ApiError => badRequest(`${field} must be a uuid`);
export const displayNameLength = (): ApiError =>
  badRequest('display_name must be a text of 1 to 64 characters');
export const avatarNotHttps = (): ApiError => badRequest('display_avatar_url must be an HTTPS URL');
export const attachmentsMalformed = (): ApiError =>
  badRequest('attachments must be a list of objects with file_id');
export const tooManyAttachments = (): ApiError => badRequest('too many attachments (max 15)');
export const attachmentTwice = (): ApiError => badRequest('a file is attached twice');

/* Replies to slash commands. */
export const attachmentsWithTrigger = (): ApiError =>
  badRequest('attachments are not supported with a trigger');

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
