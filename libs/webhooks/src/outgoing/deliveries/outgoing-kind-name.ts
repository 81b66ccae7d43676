/** Name of this kind of delivery in the engine and in stored deliveries. */
export const OUTGOING = 'outgoing';
