import { tooLarge } from '@tieline/platform/http';
import {
  ObjectExistsError,
  ObjectSizeError,
  ObjectTooLargeError,
  UploadInProgressError,
} from '../file-storage.js';
import type { IncomingUpload } from './incoming-upload.js';
import { alreadyStored, sizeMismatch, uploadInProgress, uploadInterrupted } from './storage.errors.js';

/**
 * Returns the response for an upload that storage did not accept, or the error itself.
 * @param declaredSize in bytes, named for uploads of another size
 */
export function uploadRefusal(
  error: unknown,
  { wasInterrupted }: Pick<IncomingUpload, 'wasInterrupted'>,
  declaredSize: number,
): unknown {
  if (error instanceof ObjectTooLargeError) return tooLarge();
  if (error instanceof ObjectExistsError) return alreadyStored();
  if (error instanceof UploadInProgressError) return uploadInProgress();
  if (wasInterrupted) return uploadInterrupted();
  return error instanceof ObjectSizeError ? sizeMismatch(declaredSize) : error;
}
