import { ApiError, badRequest } from '@tieline/platform/http';

/** 400 for a `conversation_id` that is not a channel or voice chat of the space. */
export const noSuchChannel = (): ApiError =>
  badRequest('unknown_channels', 'conversation_id must be a channel of this space', 'conversation_id');

/** 400 for a `conversation_id` of an archived channel: every message to it would be refused. */
export const archivedChannel = (): ApiError =>
  badRequest('conversation_archived', 'conversation is archived', 'conversation_id');

/**
 * Why a request was refused, for the metrics: `content` is whatever the sender has to change about
 * it.
 */
export type Verdict =
  | 'unknown_token'
  | 'signature'
  | 'replay'
  | 'switched_off'
  | 'too_large'
  | 'rate'
  | 'content'
  | 'unavailable';

const BY_STATUS: Readonly<Record<number, Verdict>> = { 401: 'signature', 413: 'too_large', 429: 'rate' };

/** The verdict of a refusal that is given none of its own. */
const verdictOf = (status: number): Verdict =>
  BY_STATUS[status] ?? (status >= 500 ? 'unavailable' : 'content');

/**
 * Whatever an incoming webhook refuses (contract, Errors): the text is the same for every check, so
 * that nobody learns whether token, signature or timestamp failed. The reason is for the request
 * log of the admins.
 */
export class Rejected extends ApiError {
  constructor(
    status: number,
    readonly reason: string,
    headers: Readonly<Record<string, string>> = {},
    readonly verdict: Verdict = verdictOf(status),
  ) {
    super(status, 'request_rejected', 'request rejected', { headers });
  }
}
