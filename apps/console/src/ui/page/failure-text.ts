import { ApiFailure } from '../../api/failure.js';
import type { uiWords } from '../words.js';

/**
 * Explains what happened and what to do, in the user's language if the code is known, else in the
 * server's words.
 *
 * @param isAtField whether it is shown at the field that the failure names
 */
export function failureText(
  failure: unknown,
  words: (typeof uiWords)['en'],
  { isAtField = false } = {},
): string {
  if (!(failure instanceof ApiFailure)) return failure instanceof Error ? failure.message : String(failure);
  if (failure.status === 0) return words.network;
  if (failure.status === 429) return words.limited(failure.retryAfter ?? 1);
  // A silent or unintelligible bot is no fault of the server. The text names the bot.
  if (failure.code === 'bot_did_not_answer' || failure.code === 'bot_answer_unreadable')
    return sentence(failure.message);
  if (failure.status === 503) return words.unavailable;
  if (failure.status >= 500) return words.serverFault;
  if (failure.code === 'forbidden') return words.forbidden;
  if (failure.code === 'not_found') return words.notFound;
  if (failure.code === 'address_not_allowed') return words.addressNotAllowed;
  if (failure.code === 'name_taken') return words.nameTaken;
  return isAtField
    ? sentence(textAtField(failure.message, failure.field ?? ''))
    : sentence(withReadableField(failure));
}

/** A short title for the failure. */
export function failureTitle(failure: unknown, words: (typeof uiWords)['en']): string {
  if (failure instanceof ApiFailure && failure.code === 'forbidden') return words.forbiddenTitle;
  if (failure instanceof ApiFailure && failure.code === 'not_found') return words.notFoundTitle;
  return words.failureTitle;
}

/** Whether a retry may succeed: not for missing or forbidden resources. */
export const mayPass = (failure: unknown): boolean =>
  !(failure instanceof ApiFailure) || (failure.code !== 'forbidden' && failure.code !== 'not_found');

/** Writes a field's name at the start of a text as words: `display name` for `display_name`. */
function withReadableField({ message, field }: ApiFailure): string {
  if (field === undefined || !message.startsWith(`${field} `)) return message;
  return field.replaceAll('_', ' ') + message.slice(field.length);
}

/** The text of an error next to its field: without the field's name at its start. */
export function textAtField(text: string, field: string): string {
  return text.startsWith(`${field} `) ? sentence(text.slice(field.length + 1)) : text;
}

/** Capitalizes an error text of the API and ends it with a period. */
function sentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(first) ? first : `${first}.`;
}
