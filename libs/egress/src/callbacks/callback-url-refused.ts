import { badRequest, invalidField } from '@tieline/platform/http';
import type { ApiError } from '@tieline/platform/http';
import type { EgressRefusal } from '../policy/egress-policy.js';

const TEXTS: Readonly<Record<EgressRefusal, string>> = {
  invalid_url: 'callback_url must be an HTTPS URL',
  scheme: 'callback_url must be an HTTPS URL',
  userinfo: 'callback_url must not contain a user name or password',
  address: 'callback_url: address not allowed',
};

/** 400 for a callback_url that the egress policy refuses (decisions, section 10). */
export const callbackUrlRefused = (reason: EgressRefusal): ApiError =>
  reason === 'address'
    ? badRequest('address_not_allowed', TEXTS[reason], 'callback_url')
    : invalidField('callback_url', TEXTS[reason]);
