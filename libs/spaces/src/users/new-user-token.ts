import { TOKEN_PREFIXES } from '@tieline/platform/http';
import { newToken } from '@tieline/signing';

export const USER_TOKEN_PREFIX = TOKEN_PREFIXES.person;

/** Returns a new bearer token of a person. */
export function newUserToken(): string {
  return newToken(USER_TOKEN_PREFIX);
}
