import type { AttemptRecord } from '../engine/delivery.types.js';

/** Present if an attempt was signed as Standard Webhooks. */
const SIGNATURE = 'webhook-signature';

/** The delivery and the time of an attempt. */
interface AttemptKey {
  deliveryId: string;
  at: Date;
}

/**
 * Returns the JSON of the headers of an attempt as the log stores it. Omits the id and the
 * timestamp of Standard Webhooks, because the row of the attempt has both already.
 * {@link readAttemptHeaders} adds them.
 */
export function storedAttemptHeaders(deliveryId: string, { at, headers }: AttemptRecord): string | null {
  if (headers === undefined) return null;
  const implied = impliedHeaders({ deliveryId, at });
  const isStored = ([name, value]: [string, string]): boolean =>
    headers[SIGNATURE] === undefined || implied[name] !== value;
  return JSON.stringify(Object.fromEntries(Object.entries(headers).filter(isStored)));
}

/** Returns the headers of an attempt from the JSON that the log has, also of earlier versions. */
export function readAttemptHeaders(key: AttemptKey, stored: string | null): Record<string, string> {
  const headers = JSON.parse(stored ?? '{}') as Record<string, string>;
  return headers[SIGNATURE] === undefined ? headers : { ...impliedHeaders(key), ...headers };
}

function impliedHeaders({ deliveryId, at }: AttemptKey): Record<string, string> {
  return {
    'webhook-id': deliveryId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
  };
}
