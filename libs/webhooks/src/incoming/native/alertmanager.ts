import type { NativeFormat } from './native-format.js';
import { alertLines, alertLinks, alertSeverity, alertTitle, hasAlerts } from './prometheus-alerts.js';

/** `webhook_configs` of Prometheus Alertmanager, version 4, and what is made after it. */
export const ALERTMANAGER: NativeFormat = {
  name: 'Alertmanager',
  recognises: hasAlerts,
  read: (body) => ({
    lines: [alertTitle(body), ...alertLines(body)],
    links: [{ label: 'Alertmanager', url: body.text('externalURL') }, ...alertLinks(body)],
    severity: alertSeverity(body),
  }),
};
