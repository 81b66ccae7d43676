import type { NativeFormat } from '../parts/native-format.js';
import {
  alertLines,
  alertLinks,
  alertSeverity,
  alertTitle,
  groupKeys,
  hasAlerts,
} from '../parts/prometheus-alerts.js';

/** `webhook_configs` of Prometheus Alertmanager, version 4, and compatible programs. */
export const ALERTMANAGER: NativeFormat = {
  name: 'Alertmanager',
  recognizes: hasAlerts,
  read: (body) => ({
    lines: [alertTitle(body), ...alertLines(body)],
    links: [{ label: 'Alertmanager', url: body.text('externalURL') }, ...alertLinks(body)],
    severity: alertSeverity(body),
  }),
  keys: (body) => groupKeys('alertmanager', body),
};
