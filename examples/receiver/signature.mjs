/** Verifies the signatures of a request. During a rotation Tieline signs with both secrets. */
import { createHmac, timingSafeEqual } from 'node:crypto';

const WINDOW_SECONDS = 300;

/**
 * Returns the names of the valid signatures. One is enough to trust a request. `body` is a Buffer
 * with the raw bytes: verify first, then parse.
 *
 * - `standard`: webhook-signature, with one signature per secret.
 * - `service`: X-Service-Signature, with the new secret.
 * - `previous`: X-Service-Signature-Previous, with the old secret.
 *
 * @param secrets the secrets that this receiver knows, new and old.
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
  service: (secret, headers, body) => isServiceSignature('x-service-signature', secret, headers, body),
  previous: (secret, headers, body) =>
    isServiceSignature('x-service-signature-previous', secret, headers, body),
};

/** This scheme has the timestamp of the first attempt, so only `standard` verifies late retries. */
function isServiceSignature(name, secret, headers, body) {
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
