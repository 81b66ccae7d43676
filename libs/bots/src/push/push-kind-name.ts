/** The delivery kind of the bot push webhook. */
export const PUSH = 'push';

/** Error of deliveries to a bot that gets no more pushes (decisions, section 4). */
export const SUBSCRIPTION_INACTIVE = 'subscription inactive';
