import { ApiError, conflict, forbidden, invalidField, notFound } from '@tieline/platform/http';

/** 403 for changes of owners by others. */
export const ownersOnly = (): ApiError =>
  forbidden('owners_only', 'only owners can create, change or remove owners');
/** 409 for removing the last active owner. */
export const lastOwner = (): ApiError =>
  conflict('last_owner', 'the last active owner can be neither demoted nor deactivated');
/** 409 for one more than the space's plan allows (docs/errors.md#limits-of-a-space). */
export const limitReached = (what: string, limit: number): ApiError =>
  conflict('limit_reached', `this space has ${limit} ${what}, as many as its plan allows`);
/** 409: a deactivated person can't sign in. */
export const userInactive = (): ApiError => conflict('user_inactive', 'this person is deactivated');
/** 404: never created, used, revoked or expired. */
export const noInvite = (): ApiError => notFound('no_invite', 'no open invite');
/** 401: unknown, used, revoked or expired. */
export const invalidInvite = (): ApiError =>
  new ApiError(401, 'invalid_invite', 'this invite has been used, revoked or has expired');
/** 400 unless exactly one of the two is given. */
export const tokenOrInvite = (): ApiError =>
  invalidField(undefined, 'exactly one of token and invite is required');
