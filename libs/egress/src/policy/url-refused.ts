import { badRequest, invalidField } from '@tieline/platform/http';
import type { ApiError } from '@tieline/platform/http';
import type { EgressRefusal } from './egress-policy.js';

const TEXTS: Readonly<Record<Exclude<EgressRefusal, 'address'>, string>> = {
  invalid_url: 'must be an HTTPS URL',
  scheme: 'must be an HTTPS URL',
  white_space: 'must not contain white space',
  port: 'must have a port from 1 to 65535',
  userinfo: 'must not contain a user name or password',
};

/**
 * 400 for an address in `field` that the egress policy refuses
 * (docs/security.md#outgoing-requests).
 */
export const urlRefused = (field: string, reason: EgressRefusal): ApiError =>
  reason === 'address'
    ? badRequest('address_not_allowed', `${field}: address not allowed`, field)
    : invalidField(field, `${field} ${TEXTS[reason]}`);
