import { severityOf } from '../../message/severity.js';
import type { NativeFormat } from '../parts/native-format.js';
import type { Severity } from '../../message/severity.js';
import type { Payload } from '../../message/payload.js';

const SEVERITIES: ReadonlyMap<string, Severity> = new Map([
  ['failure', 'critical'],
  ['warning', 'warning'],
  ['success', 'info'],
  ['info', 'info'],
]);

/** Whether a body comes from Apprise, judged by the fields it always sends. */
export function isApprise(body: Payload): boolean {
  return APPRISE.recognizes(body, {});
}

/** `json://` and `form://` of Apprise. */
export const APPRISE: NativeFormat = {
  name: 'Apprise',
  recognizes: (body) =>
    body.isText('message') &&
    SEVERITIES.has(body.word('type')) &&
    (body.has('version') || body.isText('title')),
  read: (body) => ({
    lines: [body.text('title'), body.text('message')],
    links: [],
    severity: body.has('severity')
      ? severityOf(body.word('severity'))
      : (SEVERITIES.get(body.word('type')) ?? 'info'),
  }),
};
