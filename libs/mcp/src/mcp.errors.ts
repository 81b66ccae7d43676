import { ApiError, forbidden } from '@tieline/platform/http';

/** 403 for a `Host` that is not one of this server. */
export const hostNotAllowed = (): ApiError => forbidden('host_not_allowed', 'host not allowed');
/** 403 for an `Origin` that is not the one of `PUBLIC_URL`. */
export const originNotAllowed = (): ApiError => forbidden('origin_not_allowed', 'origin not allowed');
