/** Tells the token of a task's capability from a bot's or a person's. */
export const CAPABILITY_PREFIX = 'tlc_';
