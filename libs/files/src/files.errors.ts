import { badRequest, conflict, forbidden, invalidField, notFound } from '@tieline/platform/http';
import type { ApiError } from '@tieline/platform/http';

/* Bodies and queries (contract, Errors: files). */
export const fileNameMalformed = (): ApiError =>
  invalidField('file_name', 'file_name must be a text of 1 to 255 characters without control characters');
export const fileSizeMalformed = (): ApiError =>
  invalidField('file_size', 'file_size must be a whole number of bytes, at least 1');
export const fileTooLarge = (maxBytes: number): ApiError =>
  badRequest('file_too_large', `file too large (max ${maxBytes} bytes)`, 'file_size');
export const unsupportedType = (): ApiError =>
  badRequest('unsupported_mime_type', 'unsupported mime_type', 'mime_type');

/* Where a bot may upload (decisions, section 6). */
export const botNotInConversation = (): ApiError =>
  forbidden('bot_not_in_conversation', 'bot not in conversation');
export const conversationIsArchived = (): ApiError =>
  forbidden('conversation_archived', 'conversation is archived');
export const fileNotFound = (): ApiError => notFound('file_not_found', 'file not found');

/** 409 where a file would take more than the space's plan allows (decisions, section 11.1). */
export const quotaReached = (): ApiError =>
  conflict('limit_reached', 'the files of this space take all that its plan allows');

/** 404 where a person would upload. */
export const conversationNotFound = (): ApiError =>
  notFound('conversation_not_found', 'conversation not found');

/* Confirming. */
export const notUploaded = (): ApiError => badRequest('file_not_uploaded', 'file not uploaded');
export const otherSize = (): ApiError =>
  badRequest('file_size_differs', 'uploaded size differs from file_size; make a new upload session');

/** 400 for a file that cannot be attached or downloaded yet. */
export const fileNotReady = (): ApiError => badRequest('file_not_ready', 'file not ready');
export const alreadyAttached = (): ApiError => badRequest('file_already_attached', 'file already attached');
export const attachedTwice = (): ApiError => invalidField('attachments', 'a file is attached twice');
export const tooManyAttachments = (): ApiError =>
  invalidField('attachments', 'too many attachments (max 15)');
/** 403 for a file that is unknown, another bot's, or of another conversation. */
export const fileNotUsable = (): ApiError =>
  forbidden('file_not_available', 'file not available in this conversation');

/** 403 for a person who is not a member of the file's conversation. */
export const notMember = (): ApiError => forbidden('not_a_member', 'not a member of the conversation');
