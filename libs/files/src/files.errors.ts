import { badRequest, conflict, forbidden, invalidField, notFound } from '@tieline/platform/http';
import type { ApiError } from '@tieline/platform/http';

/* Errors in bodies and queries. */
export const fileNameMalformed = (): ApiError =>
  invalidField('file_name', 'file_name must be a text of 1 to 255 characters without control characters');
export const fileSizeMalformed = (): ApiError =>
  invalidField('file_size', 'file_size must be a whole number of bytes, at least 1');
export const fileTooLarge = (maxBytes: number): ApiError =>
  badRequest('file_too_large', `file too large (max ${maxBytes} bytes)`, 'file_size');
export const unsupportedType = (): ApiError =>
  badRequest('unsupported_mime_type', 'unsupported mime_type', 'mime_type');

/* Errors for uploading to a conversation. */
export const fileNotFound = (): ApiError => notFound('file_not_found', 'file not found');

/** 409 if a file would exceed the quota of the space's plan. */
export const quotaReached = (): ApiError =>
  conflict('limit_reached', "the files of this space have reached their plan's limit");

/* Errors of confirmations. */
export const notUploaded = (): ApiError => badRequest('file_not_uploaded', 'file not uploaded');
export const sizeMismatch = (): ApiError =>
  badRequest('file_size_differs', 'uploaded size differs from file_size; create a new upload session');

/** 400 for a file that cannot be attached or downloaded yet. */
export const fileNotReady = (): ApiError => badRequest('file_not_ready', 'file not ready');
export const alreadyAttached = (): ApiError => badRequest('file_already_attached', 'file already attached');
export const duplicateAttachment = (): ApiError => invalidField('attachments', 'a file is attached twice');
export const tooManyAttachments = (): ApiError =>
  invalidField('attachments', 'too many attachments (max 15)');
/** 403 for a file that is unknown, another bot's, or of another conversation. */
export const fileNotUsable = (): ApiError =>
  forbidden('file_not_available', 'file not available in this conversation');
