import { ApiError, badRequest, conflict, forbidden } from '@tieline/platform/http';

/**
 * 403 for a link that is changed, expired, or of another method: the same response for all, so that
 * guessing reveals nothing.
 */
export const linkRefused = (): ApiError => forbidden('link_refused', 'the link is invalid or has expired');
/** 403 for an upload with another type than the link's. */
export const contentTypeMismatch = (): ApiError =>
  forbidden('other_content_type', 'the link is for another content type');
/** 403 for an upload to an existing file; files are never overwritten. */
export const alreadyStored = (): ApiError => forbidden('already_stored', 'the file is already stored');
/** 400 for an upload with another size than declared; the link stays valid. */
export const sizeMismatch = (size: number): ApiError =>
  badRequest('upload_size_differs', `the upload must have the declared size of ${size} bytes`);
/** 409 while another upload with the same link is in progress. */
export const uploadInProgress = (): ApiError =>
  conflict('upload_in_progress', 'an upload to this link is already in progress');
/** 400 for an upload whose client disconnected; no one reads it. */
export const uploadInterrupted = (): ApiError =>
  new ApiError(400, 'upload_broken_off', 'the upload was interrupted');
/** 416 with the size of the object. */
export const rangeNotSatisfiable = (size: number): ApiError =>
  new ApiError(416, 'range_not_satisfiable', 'range not satisfiable', {
    headers: { 'content-range': `bytes */${size}` },
  });
