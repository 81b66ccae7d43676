import { asResolved } from './native-format.js';
import type { NativeFormat, NativeMessage } from './native-format.js';
import type { Payload } from './payload.js';
import {
  alertLines,
  alertLinks,
  alertSeverity,
  alertTitle,
  hasAlerts,
  isResolved,
} from './prometheus-alerts.js';

/** The "Webhook" contact point of Grafana's unified alerting. */
export const GRAFANA: NativeFormat = {
  name: 'Grafana',
  recognizes: (body) =>
    hasAlerts(body) && (body.has('orgId') || body.isText('title') || body.isText('state')),
  read: (body) => {
    const title = body.text('title') || alertTitle(body);
    return {
      lines: [isResolved(body) ? asResolved(title) : title, ownMessage(body), ...alertLines(body)],
      links: [...alertLinks(body), { label: 'Grafana', url: body.text('externalURL') }],
      severity: alertSeverity(body),
    };
  },
};

/**
 * Returns the message, unless the stock template generated it from the alerts, which are shown
 * anyway.
 */
function ownMessage(body: Payload): string {
  const message = body.text('message');
  return /\nLabels:\n/.test(message) ? '' : message;
}

/** Webhooks of Grafana's alerting before version 9. */
export const GRAFANA_LEGACY: NativeFormat = {
  name: 'Grafana',
  recognizes: (body) => body.isText('ruleName') && body.isText('state'),
  read: (body): NativeMessage => {
    const isOver = body.word('state') === 'ok';
    const title = body.text('title') || `[${body.text('state')}] ${body.text('ruleName')}`;
    const values = body.list('evalMatches').map((match) => `${match.text('metric')}: ${match.text('value')}`);
    return {
      lines: [isOver ? asResolved(title) : title, body.text('message'), ...values],
      links: [{ label: 'Open', url: body.text('ruleUrl') }],
      severity: isOver ? 'info' : 'warning',
    };
  },
};
