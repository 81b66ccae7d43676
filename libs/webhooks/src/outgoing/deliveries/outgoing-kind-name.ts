/** Name of this kind of delivery in the engine and in stored deliveries. */
export const OUTGOING = 'outgoing';

/**
 * Decisions, section 4: the error of deliveries whose subscription was switched off or deleted
 * while they were pending.
 */
export const SUBSCRIPTION_INACTIVE = 'subscription inactive';
