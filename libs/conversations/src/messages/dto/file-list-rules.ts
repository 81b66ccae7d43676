import { ValidateBy } from 'class-validator';
import type { ValidationArguments } from 'class-validator';
import { isUuid } from '@tieline/platform/http';

/** Maximum number of files in one message. */
const MAX_FILES = 15;
const SHAPE = 'attachments must be a list of objects with file_id';

type FileLike = { file_id?: unknown } | null;

/** A message's `attachments`: a list of at most 15 different files. For all senders. */
export function IsFileList(): PropertyDecorator {
  return ValidateBy({
    name: 'files of a message',
    validator: {
      validate: (value) => problemOf(value) === undefined,
      defaultMessage: (given?: ValidationArguments) => problemOf(given?.value) ?? '',
    },
  });
}

function problemOf(value: unknown): string | undefined {
  if (!Array.isArray(value)) return SHAPE;
  if (value.length > MAX_FILES) return `too many attachments (max ${MAX_FILES})`;
  const ids = value.map((one: unknown) => (one as FileLike)?.file_id);
  if (!ids.every(isUuid)) return SHAPE;
  const distinct = new Set(ids.map((id) => id.toLowerCase()));
  return distinct.size === ids.length ? undefined : 'a file is attached twice';
}
