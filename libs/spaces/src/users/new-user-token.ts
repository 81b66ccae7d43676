import { newToken } from '@tieline/signing';

export const USER_TOKEN_PREFIX = 'tlu_';

/** A new bearer token of a person. */
export function newUserToken(): string {
  return newToken(USER_TOKEN_PREFIX);
}
