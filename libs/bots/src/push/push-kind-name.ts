/** The delivery kind of the bot push webhook. */
export const PUSH = 'push';

/** The error of deliveries to a bot that no longer receives pushes. */
export const SUBSCRIPTION_INACTIVE = 'subscription inactive';
