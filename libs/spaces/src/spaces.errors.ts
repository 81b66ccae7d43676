import { ApiError, conflict, forbidden } from '@tieline/platform/http';

/** 403: decisions, section 7. */
export const ownersOnly = (): ApiError => forbidden('only owners can make, change or remove owners');
/** 409: decisions, section 7. */
export const lastOwner = (): ApiError =>
  conflict('the last active owner can be neither demoted nor deactivated');
/** 409 for one more than the space's plan allows (decisions, 11.1). */
export const limitReached = (what: string, limit: number): ApiError =>
  new ApiError(409, `this space has ${limit} ${what}, as many as its plan allows`, {}, 'limit_reached');
