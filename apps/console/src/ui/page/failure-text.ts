import { ApiFailure } from '../../app/api/failure.js';
import type { uiWords } from '../words.js';

/**
 * What happened and what can be done, in the reader's language where we know it, else in the
 * server's words.
 */
export function failureText(failure: unknown, words: (typeof uiWords)['en']): string {
  if (!(failure instanceof ApiFailure)) return failure instanceof Error ? failure.message : String(failure);
  if (failure.status === 0) return words.network;
  if (failure.status === 429) return words.limited(failure.retryAfter ?? 1);
  // A bot that is silent or can't be understood is no fault of the server; the text names it.
  if (failure.code === 'bot_did_not_answer' || failure.code === 'bot_answer_unreadable')
    return sentence(failure.message);
  if (failure.status === 503) return words.unavailable;
  if (failure.status >= 500) return words.serverFault;
  if (failure.code === 'forbidden') return words.forbidden;
  if (failure.code === 'not_found') return words.notFound;
  if (failure.code === 'address_not_allowed') return words.addressNotAllowed;
  if (failure.code === 'name_taken') return words.nameTaken;
  return sentence(failure.message);
}

/** What happened, in a few words. */
export function failureTitle(failure: unknown, words: (typeof uiWords)['en']): string {
  if (failure instanceof ApiFailure && failure.code === 'forbidden') return words.forbiddenTitle;
  if (failure instanceof ApiFailure && failure.code === 'not_found') return words.notFoundTitle;
  return words.failureTitle;
}

/**
 * Whether the same may succeed when it is tried again: not what is gone, and not what the role
 * forbids.
 */
export const mayPass = (failure: unknown): boolean =>
  !(failure instanceof ApiFailure) || (failure.code !== 'forbidden' && failure.code !== 'not_found');

/** The API writes its errors in lower case, for programs. */
function sentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(first) ? first : `${first}.`;
}
