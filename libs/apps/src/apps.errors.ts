import { badRequest, conflict, forbidden, invalidField, notFound } from '@tieline/platform/http';
import type { ApiError } from '@tieline/platform/http';

export const appNotFound = (): ApiError => notFound('app_not_found', 'app not found');
export const redirectUrisInvalid = (text: string): ApiError =>
  invalidField('redirect_uris', `redirect_uris ${text}`);
export const scopesInvalid = (field: string): ApiError =>
  invalidField(field, `${field} must be a list of scopes`);
/** 409: a public client has no secret. */
export const publicClient = (): ApiError => conflict('public_client', 'a public client has no client secret');

/** 404: expired, finished, or never started. */
export const interactionNotFound = (): ApiError =>
  notFound('interaction_not_found', 'this request has expired or is already answered');
/** 403: guests cannot authorize apps. */
export const guestsMayNot = (): ApiError => forbidden('forbidden', 'guests cannot authorize apps');
/** 403: the app belongs to another space and is not listed. */
export const appOfAnotherSpace = (): ApiError =>
  forbidden('app_not_available', 'this app is not available in your space');
/** 403: only admins choose channels. */
export const channelsNeedAdmin = (): ApiError =>
  forbidden('forbidden', 'only admins and owners may choose channels');
/** 400: nothing that the app asks for can be granted. */
export const nothingToGrant = (): ApiError =>
  badRequest('nothing_to_grant', 'the app asks for nothing that you can grant');

export const installationNotFound = (): ApiError =>
  notFound('installation_not_found', 'installation not found');
export const authorizationNotFound = (): ApiError =>
  notFound('authorization_not_found', 'authorization not found');
/** 409: 20 pending requests per person. */
export const tooManyRequests = (): ApiError =>
  conflict('limit_reached', 'a person has at most 20 pending requests for apps');
export const requestNotFound = (): ApiError => notFound('app_request_not_found', 'request not found');
/** 409: another admin was first. */
export const requestDecided = (): ApiError =>
  conflict('app_request_decided', 'the request is already decided');
/** 409: the app was changed or removed since the request. */
export const appGone = (): ApiError => conflict('app_not_available', 'this app is no longer available');
/** 409 for a redelivery to an app without an event_url. */
export const noEventUrl = (): ApiError => conflict('no_event_url', 'the app has no event_url');
/** 409 for a delivery whose body has been deleted after its retention. */
export const bytesGone = (): ApiError =>
  conflict('delivery_too_old', 'the delivery is too old to be sent again');
