/** Name of this delivery kind in the engine and in stored deliveries. */
export const OUTGOING = 'outgoing';

/** Error of deliveries that were pending when their subscription was disabled or deleted. */
export const SUBSCRIPTION_INACTIVE = 'subscription inactive';
