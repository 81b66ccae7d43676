import { invalidField } from '@tieline/platform/http';
import type { ApiError } from '@tieline/platform/http';

/** 400 for a search without words and filters, or only with words to leave out. */
export const nothingToFind = (): ApiError =>
  invalidField('q', 'q needs a word to find, unless there is a filter');
/** 400 for a text without letters, digits and emoji. */
export const noWords = (): ApiError => invalidField('q', 'q has no letter, digit or emoji to search for');
