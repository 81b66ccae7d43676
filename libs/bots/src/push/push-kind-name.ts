/** The delivery kind of the bot push webhook. */
export const PUSH = 'push';

/** Decisions, section 4: the error of deliveries whose bot no longer gets any. */
export const SUBSCRIPTION_INACTIVE = 'subscription inactive';
