import { conflict, forbidden } from '@tieline/platform/http';
import type { ApiError } from '@tieline/platform/http';

/** 403: decisions, section 7. */
export const ownersOnly = (): ApiError =>
  forbidden('owners_only', 'only owners can make, change or remove owners');
/** 409: decisions, section 7. */
export const lastOwner = (): ApiError =>
  conflict('last_owner', 'the last active owner can be neither demoted nor deactivated');
/** 409 for one more than the space's plan allows (decisions, 11.1). */
export const limitReached = (what: string, limit: number): ApiError =>
  conflict('limit_reached', `this space has ${limit} ${what}, as many as its plan allows`);
