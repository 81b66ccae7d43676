import { ApiError, badRequest, conflict, forbidden, invalidField, notFound } from '@tieline/platform/http';

/** 404 for a bot that is unknown, deleted or of another space. */
export const botNotFound = (): ApiError => notFound('bot_not_found', 'bot not found');
/** 400 for mode `webhook` without a stored webhook_url. */
export const webhookUrlRequired = (): ApiError =>
  invalidField('webhook_url', 'webhook_url is required in mode webhook');
/** 400 for a channel_ids entry that is not a channel of the space. */
export const unknownChannels = (): ApiError =>
  badRequest('unknown_channels', 'channel_ids must be channels of the space', 'channel_ids');
/** Contract, Errors: 400 for what cannot be joined, 403 for a private or archived channel. */
export const joinImpossible = (): ApiError => badRequest('join_impossible', 'failed to join conversation');
export const joinForbidden = (): ApiError => forbidden('join_forbidden', 'failed to join conversation');
/** Contract, Errors: an id that can't be a channel's. */
export const channelIdMalformed = (): ApiError => badRequest('channel_not_found', 'channel not found');
/** Contract, Errors: only a bot in `poll` mode may read its queue. */
export const notInPollMode = (): ApiError => badRequest('not_in_poll_mode', 'bot is not in poll mode');
/** 503 where the operator has switched polling off (POLLING_ENABLED). */
export const pollingDisabled = (): ApiError => new ApiError(503, 'polling_disabled', 'polling is disabled');
/** 409 for redelivery to a bot that gets no pushes. */
export const notPushed = (): ApiError => conflict('not_in_webhook_mode', 'bot is not in webhook mode');
/** 409 for a delivery whose bytes are out of retention. */
export const bytesGone = (): ApiError =>
  conflict('delivery_too_old', 'the delivery is too old to be sent again');
/** Contract, Errors: the other side of a DM is no active person of the bot's space. */
export const userNotFound = (): ApiError => badRequest('user_not_found', 'user not found', 'user_id');
/** 409 for a socket of a bot in another mode than `poll` (decisions, section 11.7). */
export const notInSocketMode = (): ApiError => conflict('not_in_poll_mode', 'bot is not in poll mode');
/** 429 for an eleventh socket. */
export const tooManySockets = (): ApiError =>
  new ApiError(429, 'too_many_sockets', 'too many sockets', { headers: { 'retry-after': '1' } });
/** 426 for a request for a socket that is no WebSocket handshake. */
export const upgradeRequired = (): ApiError =>
  new ApiError(426, 'upgrade_required', 'a WebSocket handshake is required', {
    headers: { upgrade: 'websocket' },
  });
/** For an acknowledgement whose `answer` is no object. */
export const answerNoObject = (): ApiError => invalidField('answer', 'answer must be an object');
