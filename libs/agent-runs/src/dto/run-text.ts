import { characters, Check, isBlankText } from '@tieline/platform/http';
import type { ApiError } from '@tieline/platform/http';
import { mustBeText } from '../agent-runs.errors.js';

/** Characters of a run's texts (contract, Limits). */
export const MAX_TEXT = 4000;

/**
 * A field with a text that people read, which may be left out; one of white space only is empty,
 * however long.
 */
export function IsRunText(field: string, tooLong: () => ApiError): PropertyDecorator {
  return Check((value) => {
    if (value === undefined || value === null) return undefined;
    if (typeof value !== 'string') return mustBeText(field);
    return characters(value) > MAX_TEXT && !isBlankText(value) ? tooLong() : undefined;
  });
}

/** The text as it is kept; undefined where it was left out. */
export function runText(text: string | null | undefined): string | undefined {
  return text != null && isBlankText(text) ? '' : (text ?? undefined);
}
