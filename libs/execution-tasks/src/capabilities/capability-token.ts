import { TOKEN_PREFIXES } from '@tieline/platform/http';

/** Tells the token of a task's capability from a bot's or a person's. */
export const CAPABILITY_PREFIX = TOKEN_PREFIXES.capability;
