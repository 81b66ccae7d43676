import { asResolved, line } from './native-format.js';
import type { NativeFormat } from './native-format.js';
import type { Payload } from './payload.js';

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
};

function nameOf(body: Payload): string {
  return NAMES.map((name) => body.text(name)).find((text) => text !== '') ?? 'unnamed check';
}

function detailsOf(body: Payload): string {
  const [tags, last] = [body.text('tags'), body.text('last_ping')];
  return line(tags && `tags: ${tags}`, last && `last ping: ${last}`);
}
