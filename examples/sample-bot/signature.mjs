import { createHmac, timingSafeEqual } from 'node:crypto';

const WINDOW_SECONDS = 300;

/**
 * Whether Tieline sent this. `body` is a Buffer of the bytes as they came: verify first, parse afterwards. The key is the
 * whole text of the secret, "whsec_" included.
 */
export function isGenuine(secret, headers, body) {
  const timestamp = String(headers['x-service-timestamp']);
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > WINDOW_SECONDS)
    return false;
  const hmac = createHmac('sha256', secret).update(`v1:${timestamp}:`).update(body).digest('hex');
  const [given, wanted] = [
    Buffer.from(String(headers['x-service-signature'])),
    Buffer.from(`sha256=${hmac}`),
  ];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
