import { conflict, forbidden } from '@tieline/platform/http';
import type { ApiError } from '@tieline/platform/http';

/** 403: decisions, section 7. */
export const ownersOnly = (): ApiError => forbidden('only owners can make, change or remove owners');
/** 409: decisions, section 7. */
export const lastOwner = (): ApiError =>
  conflict('the last active owner can be neither demoted nor deactivated');
