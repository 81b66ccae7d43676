import { badRequest, conflict, invalidField } from '@tieline/platform/http';
import type { ApiError } from '@tieline/platform/http';

/** 400 for an id in `channel_ids` that is not a channel of the space. */
export const unknownChannel = (): ApiError =>
  badRequest('unknown_channels', 'channel_ids must be channels of this space', 'channel_ids');
/** 400 for an id in `trigger_config.user_ids` that is not a person or bot of the space. */
export const unknownMentioned = (): ApiError =>
  badRequest(
    'unknown_users',
    'trigger_config.user_ids must be people or bots of this space',
    'trigger_config.user_ids',
  );
/** 400 for a thin payload with context. */
export const thinWithContext = (): ApiError =>
  invalidField('payload', 'a thin payload has no context: set include_context to false');
/** 409 for a redelivery to a subscription that is inactive or deleted. */
export const subscriptionInactive = (): ApiError =>
  conflict('subscription_inactive', 'subscription inactive');
/** 409 when the stored secret was sealed with a key that this installation no longer has. */
export const secretUnreadable = (): ApiError =>
  conflict('secret_unreadable', 'signing secret is unreadable, rotate it');
/** 409 for a redelivery whose body is no longer stored. */
export const bytesGone = (): ApiError => conflict('delivery_too_old', 'the request is no longer stored');
/** 409 for a delivery of a kind that cannot be sent again here. */
export const notRedeliverable = (): ApiError =>
  conflict('not_redeliverable', 'this delivery cannot be sent again');
/** 400 for a recovery whose `to` is not a subscription of the space. */
export const unknownTarget = (): ApiError =>
  badRequest('unknown_subscription', 'to must be a subscription of this space', 'to');
/** 409 while a recovery of the same subscription is running. */
export const recoveryRunning = (): ApiError =>
  conflict('recovery_running', 'a recovery of this subscription is already running');
