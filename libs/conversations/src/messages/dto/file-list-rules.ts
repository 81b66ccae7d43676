import { ValidateBy } from 'class-validator';
import { isUuid } from '@tieline/platform/http';

/* Validation rules of a message's `attachments`, shared by all senders. */

/** Maximum number of files in one message. */
const MAX_FILES = 15;
const SHAPE = 'attachments must be a list of objects with file_id';

type FileLike = { file_id?: unknown } | null;

/** Requires a list. */
export const IsFileList = (): PropertyDecorator => rule(SHAPE, Array.isArray);

/** Allows at most 15 files. Ignores values that are not lists. */
export const IsNotTooManyFiles = (): PropertyDecorator =>
  rule(
    `too many attachments (max ${MAX_FILES})`,
    (value) => !Array.isArray(value) || value.length <= MAX_FILES,
  );

/** Requires a file id in each entry. */
export const NamesFiles = (): PropertyDecorator =>
  rule(
    SHAPE,
    (value) => !Array.isArray(value) || value.every((one: unknown) => isUuid((one as FileLike)?.file_id)),
  );

/** Refuses a file that occurs twice. */
export const NamesEachFileOnce = (): PropertyDecorator =>
  rule('a file is attached twice', (value) => {
    const ids = Array.isArray(value) ? value.map((one: unknown) => (one as FileLike)?.file_id) : [];
    return new Set(ids.map((id) => String(id).toLowerCase())).size === ids.length;
  });

function rule(text: string, keeps: (value: unknown) => boolean): PropertyDecorator {
  return ValidateBy({ name: text, validator: { validate: keeps, defaultMessage: () => text } });
}
