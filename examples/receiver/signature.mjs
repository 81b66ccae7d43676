/**
 * Which signatures of a request are genuine. While a rotation overlaps two secrets are live, and
 * Tieline signs with both.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

const WINDOW_SECONDS = 300;

/**
 * Verifies a request. One valid signature is enough. `body` is a Buffer with the raw bytes: verify
 * first, parse afterwards.
 *
 * @param secrets the receiver's secrets, new and old
 * @returns the signatures made with a known secret: `standard` (webhook-signature, which lists one
 * signature per live secret), `service` (X-Service-Signature, by the new secret) and `previous`
 * (X-Service-Signature-Previous, by the old one)
 */
export function proofs(secrets, headers, body) {
  return Object.entries(SCHEMES)
    .filter(([, isProven]) => secrets.some((secret) => isProven(secret, headers, body)))
    .map(([name]) => name);
}

const SCHEMES = {
  standard: (secret, headers, body) => {
    const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': given = '' } = headers;
    if (!id || !isRecent(timestamp)) return false;
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    const wanted = `v1,${hmac(key, `${id}.${timestamp}.`, body).toString('base64')}`;
    return given.split(' ').some((one) => isSame(one, wanted));
  },
  service: (secret, headers, body) => isServices('x-service-signature', secret, headers, body),
  previous: (secret, headers, body) => isServices('x-service-signature-previous', secret, headers, body),
};

/**
 * The timestamp of this scheme is that of the first attempt: late retries are proven by `standard`
 * alone.
 */
function isServices(name, secret, headers, body) {
  const { [name]: given = '', 'x-service-timestamp': timestamp } = headers;
  if (!isRecent(timestamp)) return false;
  return isSame(given, `sha256=${hmac(secret, `v1:${timestamp}:`, body).toString('hex')}`);
}

function isRecent(timestamp) {
  if (!/^\d{1,12}$/.test(timestamp ?? '')) return false;
  return Math.abs(Date.now() / 1000 - Number(timestamp)) <= WINDOW_SECONDS;
}

const hmac = (key, prefix, body) => createHmac('sha256', key).update(prefix).update(body).digest();

function isSame(given, wanted) {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
}
