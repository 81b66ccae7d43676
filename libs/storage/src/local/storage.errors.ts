import { ApiError, badRequest, conflict, forbidden } from '@tieline/platform/http';

/**
 * 403 for a link that is changed, expired, or of another method: one answer for all, so that
 * nothing can be learnt by trying.
 */
export const linkRefused = (): ApiError => forbidden('link_refused', 'the link is not valid, or no longer');
/** 403 for an upload of another type than the link is for. */
export const otherContentType = (): ApiError =>
  forbidden('other_content_type', 'the link is for another content type');
/** 403 for an upload to where a file is already: files are never overwritten. */
export const alreadyStored = (): ApiError => forbidden('already_stored', 'the file is stored already');
/**
 * 400 for an upload that has another size than the file was declared with; the link stays valid.
 */
export const otherSize = (size: number): ApiError =>
  badRequest('upload_size_differs', `the upload must have the declared size of ${size} bytes`);
/** 409 while bytes come by this very link already. */
export const uploadInProgress = (): ApiError =>
  conflict('upload_in_progress', 'an upload by this link is in progress');
/** 400 for an upload whose client went away; nobody reads it. */
export const brokenOff = (): ApiError => new ApiError(400, 'upload_broken_off', 'the upload broke off');
/** 416 with the size of the object. */
export const rangeOutside = (size: number): ApiError =>
  new ApiError(416, 'range_not_satisfiable', 'range not satisfiable', {
    headers: { 'content-range': `bytes */${size}` },
  });
