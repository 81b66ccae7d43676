import type { EgressRefusal } from '@tieline/platform/egress';
import { badRequest, notFound } from '@tieline/platform/http';
import type { ApiError } from '@tieline/platform/http';

/* 400s of metadata_json as a whole (decisions, sections 3 and 5). */
export const metadataNoText = (): ApiError => badRequest('metadata_json must be a string');
export const metadataTooLarge = (): ApiError => badRequest('metadata_json too large (max 32 KiB)');
export const metadataNoObject = (): ApiError => badRequest('metadata_json must be the JSON text of an object');
/** 400 for one place inside metadata_json, such as `blocks[1].elements[0].action_id: is required`. */
export const schemaViolation = (place: string, rule: string): ApiError => badRequest(`${place}: ${rule}`);
/** 400, letter for letter (decisions, section 5): the bot could not be told about a click. */
export const interactiveBlocksUndeliverable = (): ApiError => badRequest('interactive blocks need a callback_url or poll mode');

const CALLBACK_URL_TEXTS: Readonly<Record<EgressRefusal, string>> = {
  invalid_url: 'callback_url must be an HTTPS URL',
  scheme: 'callback_url must be an HTTPS URL',
  userinfo: 'callback_url must not contain a user name or password',
  address: 'callback_url: address not allowed',
};

/** 400 for a callback_url that the egress policy refuses (decisions, section 10). */
export const callbackUrlRefused = (reason: EgressRefusal): ApiError => badRequest(CALLBACK_URL_TEXTS[reason]);
/** 404 for a rotation where there is nothing to rotate (decisions, section 5). */
export const notConfigured = (): ApiError => notFound('interactive components are not configured');
