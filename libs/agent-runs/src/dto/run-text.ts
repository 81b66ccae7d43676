import { characters, Check, isBlankText } from '@tieline/platform/http';
import type { ApiError } from '@tieline/platform/http';
import { mustBeText } from '../agent-runs.errors.js';

/** Maximum characters of a run's texts: docs/agent-runs.md#errors-and-rates. */
export const MAX_TEXT = 4000;

/** An optional text that people read. White space alone counts as empty, whatever its length. */
export function IsRunText(field: string, tooLong: () => ApiError): PropertyDecorator {
  return Check((value) => {
    if (value === undefined || value === null) return undefined;
    if (typeof value !== 'string') return mustBeText(field);
    return characters(value) > MAX_TEXT && !isBlankText(value) ? tooLong() : undefined;
  });
}

/** Returns the text to store, or undefined if it was omitted. */
export function runText(text: string | null | undefined): string | undefined {
  return text != null && isBlankText(text) ? '' : (text ?? undefined);
}
