import type { IncomingHttpHeaders } from 'node:http';
import { isFreshTimestamp, verifyColon } from '@tieline/signing';
import { asResolved } from '../parts/native-format.js';
import type { NativeFormat, NativeMessage } from '../parts/native-format.js';
import type { Payload } from '../../message/payload.js';
import {
  alertLines,
  alertLinks,
  alertSeverity,
  alertTitle,
  groupKeys,
  hasAlerts,
  isResolved,
} from '../parts/prometheus-alerts.js';
import { bodySignature, headerValue } from '../parts/signatures.js';
import type { SenderSignature } from '../parts/signatures.js';

const TIMESTAMPS = ['x-grafana-alerting-timestamp', 'x-grafana-alerting-signature-timestamp'];

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
  keys: (body) => groupKeys('grafana', body),
  signature: timedSignature,
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

/**
 * Reads a hex HMAC-SHA256 of the body, or of `<timestamp>:<body>` if Grafana is configured to send
 * a timestamp.
 */
function timedSignature(headers: IncomingHttpHeaders): SenderSignature | undefined {
  const header = 'x-grafana-alerting-signature';
  const value = headerValue(headers, header);
  const timestamp = TIMESTAMPS.map((name) => headerValue(headers, name)).find((one) => one !== undefined);
  if (value === undefined || timestamp === undefined) return bodySignature(header)(headers);
  return {
    header,
    match: (secret, body) =>
      verifyColon(secret, timestamp, body, value) ? { digest: Buffer.from(value, 'hex') } : undefined,
    timestampFault: (nowMs) =>
      isFreshTimestamp(timestamp, nowMs) ? undefined : 'timestamp outside 5 minutes or not in Unix seconds',
  };
}
