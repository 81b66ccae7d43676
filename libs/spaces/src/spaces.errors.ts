import { ApiError, conflict, forbidden, invalidField, notFound } from '@tieline/platform/http';

/** 403: decisions, section 7. */
export const ownersOnly = (): ApiError =>
  forbidden('owners_only', 'only owners can make, change or remove owners');
/** 409: decisions, section 7. */
export const lastOwner = (): ApiError =>
  conflict('last_owner', 'the last active owner can be neither demoted nor deactivated');
/** 409 for one more than the space's plan allows (decisions, 11.1). */
export const limitReached = (what: string, limit: number): ApiError =>
  conflict('limit_reached', `this space has ${limit} ${what}, as many as its plan allows`);
/** 409: who is deactivated can't sign in (decisions, 11.1). */
export const userInactive = (): ApiError => conflict('user_inactive', 'this person is deactivated');
/** 404: never made, used, void or past its time. */
export const noInvite = (): ApiError => notFound('no_invite', 'no open invite');
/** 401: unknown, used, void or past its time. */
export const invalidInvite = (): ApiError =>
  new ApiError(401, 'invalid_invite', 'this invite is used, void or past its time');
/** 400: decisions, 11.1. */
export const tokenOrInvite = (): ApiError =>
  invalidField(undefined, 'exactly one of token and invite is required');
