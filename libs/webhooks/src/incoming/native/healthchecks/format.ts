import { createHash } from 'node:crypto';
import { asResolved, line } from '../parts/native-format.js';
import type { NativeFormat } from '../parts/native-format.js';
import type { Payload } from '../../message/payload.js';
import { alertKeys, keyOf } from '../parts/native-keys.js';
import type { NativeKeys } from '../parts/native-keys.js';

const NAMES = ['name', 'check', 'check_name', 'slug'];
const STATES = new Set(['up', 'down', 'grace', 'late', 'new', 'paused', 'started']);

/**
 * The "Webhook" integration of healthchecks.io. Admins write the body with placeholders: `$JSON`,
 * or names of their choice such as `{"name": "$NAME", "status": "$STATUS"}`. `ping_url` is not
 * shown as a link, because opening it reports success.
 */
export const HEALTHCHECKS: NativeFormat = {
  name: 'healthchecks.io',
  recognizes: (body) => STATES.has(body.word('status')) && NAMES.some((name) => body.isText(name)),
  read: (body) => {
    const status = body.word('status');
    const text = `${nameOf(body)} is ${status.toUpperCase()}`;
    return {
      lines: [
        status === 'up' ? asResolved(text) : text,
        body.text('desc') || body.text('description'),
        detailsOf(body),
      ],
      links: ['details_url', 'check_url', 'url'].map((name) => ({ label: 'Open', url: body.text(name) })),
      severity: status === 'down' ? 'critical' : 'info',
    };
  },
  keys: checkKeys,
};

function nameOf(body: Payload): string {
  return NAMES.map((name) => body.text(name)).find((text) => text !== '') ?? 'unnamed check';
}

function detailsOf(body: Payload): string {
  const [tags, last] = [body.text('tags'), body.text('last_ping')];
  return line(tags && `tags: ${tags}`, last && `last ping: ${last}`);
}

/** Uses the check as the key. Its ping address is secret, so the key contains only a hash of it. */
function checkKeys(body: Payload): NativeKeys {
  const status = body.word('status');
  if (status !== 'down' && status !== 'up') return {};
  const ping = body.text('ping_url');
  const ids = [
    ...['unique_key', 'uuid', 'code'].map((name) => body.text(name)),
    ping && createHash('sha256').update(ping).digest('hex'),
    ...['slug', 'name', 'check', 'check_name'].map((name) => body.text(name)),
  ];
  const id = ids.find((one) => one !== '') ?? '';
  return alertKeys(keyOf('healthchecks', id), status === 'up');
}
