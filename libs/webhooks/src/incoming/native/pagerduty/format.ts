import type { Payload } from '../../message/payload.js';
import type { Severity } from '../../message/severity.js';
import { line } from '../parts/native-format.js';
import type { NativeFormat } from '../parts/native-format.js';
import { alertKeys, keyOf } from '../parts/native-keys.js';
import type { NativeKeys } from '../parts/native-keys.js';
import { bodySignature } from '../parts/signatures.js';

/** Version 3 of PagerDuty's webhooks. */
export const PAGERDUTY: NativeFormat = {
  name: 'PagerDuty',
  recognizes: (body) => {
    const event = body.object('event');
    return event.isText('event_type') && event.isText('resource_type') && event.isObject('data');
  },
  read: (body) => {
    const event = body.object('event');
    const data = event.object('data');
    return {
      lines: [headOf(event, data), detailsOf(data), data.text('content') || data.text('message')],
      links: [{ label: 'Open', url: data.text('html_url') || data.text('incident', 'html_url') }],
      severity: severityOf(data),
    };
  },
  keys: incidentKeys,
  signature: bodySignature('x-pagerduty-signature', { prefix: 'v1=', isList: true }),
};

/** Returns the event in words, such as `Incident #2 acknowledged by Ann: disk full`. */
function headOf(event: Payload, data: Payload): string {
  const type = event.text('event_type');
  if (type === 'pagey.ping') return 'PagerDuty is connected';
  const [kind = '', ...action] = type.split(/[._]/);
  const number = data.text('number');
  const isByPerson = event.text('agent', 'type') === 'user_reference';
  const subject = data.text('title') || data.text('incident', 'summary') || data.text('summary');
  const what = line(
    kind.charAt(0).toUpperCase() + kind.slice(1),
    number && `#${number}`,
    action.join(' '),
    isByPerson ? `by ${event.text('agent', 'summary')}` : '',
  );
  return subject === '' ? what : `${what}: ${subject}`;
}

function detailsOf(data: Payload): string {
  const priority = data.text('priority', 'summary');
  const assignees = data.list('assignees').map((assignee) => assignee.text('summary'));
  return [
    data.text('service', 'summary'),
    priority && `priority ${priority}`,
    assignees.length > 0 ? `assigned to ${assignees.join(', ')}` : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
}

/** An incident is urgent until it is acknowledged. */
function severityOf(data: Payload): Severity {
  if (data.word('status') !== 'triggered') return 'info';
  return data.word('urgency') === 'low' ? 'warning' : 'critical';
}

/** Uses the incident as the key. Notes, status updates and responders are separate messages. */
function incidentKeys(body: Payload): NativeKeys {
  const data = body.object('event', 'data');
  if (data.word('type') !== 'incident') return {};
  return alertKeys(keyOf('pagerduty', data.text('id')), data.word('status') === 'resolved');
}
