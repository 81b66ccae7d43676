import { ApiError, badRequest, conflict, forbidden, invalidField, notFound } from '@tieline/platform/http';

/** 404 for a bot that is unknown, deleted or of another space. */
export const botNotFound = (): ApiError => notFound('bot_not_found', 'bot not found');
/** 400 for mode `webhook` without a stored webhook_url. */
export const webhookUrlRequired = (): ApiError =>
  invalidField('webhook_url', 'webhook_url is required in mode webhook');
/** 400 for a channel_ids entry that is not a channel of the space. */
export const unknownChannels = (): ApiError =>
  badRequest('unknown_channels', 'channel_ids must be channels of the space', 'channel_ids');
/** 400 for a conversation that cannot be joined, 403 for a private or archived channel. */
export const joinImpossible = (): ApiError => badRequest('join_impossible', 'failed to join conversation');
export const joinForbidden = (): ApiError => forbidden('join_forbidden', 'failed to join conversation');
/** 400 for an id that cannot be a channel's id. */
export const channelIdMalformed = (): ApiError => badRequest('channel_not_found', 'channel not found');
/** 400 for reading the queue of a bot that is not in mode `poll`. */
export const notInPollMode = (): ApiError => badRequest('not_in_poll_mode', 'bot is not in poll mode');
/** 503 if the operator has disabled polling (POLLING_ENABLED). */
export const pollingDisabled = (): ApiError => new ApiError(503, 'polling_disabled', 'polling is disabled');
/** 409 for a bot whose app is not active. */
export const appInactive = (): ApiError => conflict('app_inactive', 'the app of this bot is not active');
/** 409 for a change that only the app of the bot, or an uninstallation, makes. */
export const botOfApp = (): ApiError => conflict('bot_of_app', 'this bot belongs to an installed app');
/** 409 for a redelivery to a bot that receives no pushes. */
export const notPushed = (): ApiError => conflict('not_in_webhook_mode', 'bot is not in webhook mode');
/** 409 for a delivery whose body has been deleted after its retention. */
export const bytesGone = (): ApiError =>
  conflict('delivery_too_old', 'the delivery is too old to be sent again');
/** 400 if the other member of a direct chat is not an active person of the bot's space. */
export const userNotFound = (): ApiError => badRequest('user_not_found', 'user not found', 'user_id');
/** 409 for a socket of a bot that is not in mode `poll`. */
export const notInSocketMode = (): ApiError => conflict('not_in_poll_mode', 'bot is not in poll mode');
/** 409 for a socket of the other event format than the bot's. */
export const formatOfOtherSockets = (): ApiError =>
  conflict('other_event_format', 'the event_format of the bot does not fit this socket');
/** 429 for an eleventh socket. */
export const tooManySockets = (): ApiError =>
  new ApiError(429, 'too_many_sockets', 'too many sockets', { headers: { 'retry-after': '1' } });
/** 426 for a socket request that is not a WebSocket handshake. */
export const upgradeRequired = (): ApiError =>
  new ApiError(426, 'upgrade_required', 'a WebSocket handshake is required', {
    headers: { upgrade: 'websocket' },
  });
/** 400 for an acknowledgement whose `answer` is not an object. */
export const answerNoObject = (): ApiError => invalidField('answer', 'answer must be an object');
