import { ApiError, badRequest } from '@tieline/platform/http';

/** 400 for a `conversation_id` that is not a channel or voice chat of the space. */
export const noSuchChannel = (): ApiError =>
  badRequest('unknown_channels', 'conversation_id must be a channel of this space', 'conversation_id');

/** 400 for a `conversation_id` of an archived channel, which would reject every message. */
export const archivedChannel = (): ApiError =>
  badRequest('conversation_archived', 'conversation is archived', 'conversation_id');

/**
 * Reason category of a rejected request, for metrics. `content`: the sender must change the
 * request.
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

/** Returns the default verdict of a status. */
const verdictOf = (status: number): Verdict =>
  BY_STATUS[status] ?? (status >= 500 ? 'unavailable' : 'content');

/**
 * A request rejected by an incoming webhook. The response is the same for every check, so that it
 * does not reveal whether token, signature or timestamp failed. `reason` goes to the request log
 * for admins.
 */
export class RejectedRequest extends ApiError {
  constructor(
    status: number,
    readonly reason: string,
    headers: Readonly<Record<string, string>> = {},
    readonly verdict: Verdict = verdictOf(status),
  ) {
    super(status, 'request_rejected', 'request rejected', { headers });
  }
}
