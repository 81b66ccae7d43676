import { ApiError, badRequest } from '@tieline/platform/http';

/** 400 for a `conversation_id` that is not a channel or voice chat of the space. */
export const noSuchChannel = (): ApiError =>
  badRequest('unknown_channels', 'conversation_id must be a channel of this space', 'conversation_id');

/**
 * Whatever an incoming webhook refuses (contract, Errors): the text is the same for every check, so that nobody learns
 * whether token, signature or timestamp failed. The reason is for the request log of the admins.
 */
export class Rejected extends ApiError {
  constructor(
    status: number,
    readonly reason: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(status, 'request_rejected', 'request rejected', { headers });
  }
}
