import { TOKEN_PREFIXES } from '@tieline/platform/http';

/** Prefix that distinguishes capability tokens from those of bots and persons. */
export const CAPABILITY_PREFIX = TOKEN_PREFIXES.capability;
