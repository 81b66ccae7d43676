import type { Severity } from '../../message/severity.js';
import { line } from '../parts/native-format.js';
import type { NativeMessage } from '../parts/native-format.js';
import type { Payload } from '../../message/payload.js';
import { ADVISORY_SEVERITIES } from '../parts/forges.js';

/** Actions that close an alert. */
const OVER = new Set([
  'fixed',
  'dismissed',
  'auto_dismissed',
  'dismiss',
  'resolved',
  'resolve',
  'closed_by_user',
  'withdrawn',
]);

/** Reads an alert about a dependency, a secret or code. */
export function securityAlert(body: Payload): NativeMessage {
  const alert = body.object('alert');
  if (alert.has('secret_type')) return secretAlert(body, alert);
  if (alert.isObject('rule')) return codeAlert(body, alert);
  return alert.has('affected_package_name') ? vulnerability(body, alert) : dependencyAlert(body, alert);
}

function dependencyAlert(body: Payload, alert: Payload): NativeMessage {
  const advisory = alert.object('security_advisory');
  const packageOf = (path: string[]): string => packageName(alert.object(...path, 'package'));
  const name = packageOf(['dependency']) || packageOf(['security_vulnerability']);
  const severity = advisory.text('severity') || alert.text('security_vulnerability', 'severity');
  const fixed = alert.text('security_vulnerability', 'first_patched_version', 'identifier');
  return alertMessage(body, alert, 'Dependabot alert', {
    words: [name, severity && `(${severity})`],
    details: [
      advisory.text('summary'),
      alert.text('dependency', 'manifest_path'),
      fixed && `fixed in ${fixed}`,
    ],
    severity,
  });
}

function secretAlert(body: Payload, alert: Payload): NativeMessage {
  const name = alert.text('secret_type_display_name') || alert.text('secret_type').replaceAll('_', ' ');
  return alertMessage(body, alert, 'secret scanning alert', {
    words: [name],
    details: [],
    severity: 'critical',
  });
}

function codeAlert(body: Payload, alert: Payload): NativeMessage {
  const rule = alert.object('rule');
  const severity = rule.text('security_severity_level') || rule.text('severity');
  const place = alert.object('most_recent_instance', 'location');
  const at = [place.text('path'), place.text('start_line')].filter((part) => part !== '').join(':');
  return alertMessage(body, alert, 'code scanning alert', {
    words: [rule.text('description') || rule.text('id'), severity && `(${severity})`],
    details: [at],
    severity,
  });
}

function vulnerability(body: Payload, alert: Payload): NativeMessage {
  const severity = alert.text('severity');
  const fixed = alert.text('fixed_in');
  return alertMessage(body, alert, 'vulnerability alert', {
    words: [alert.text('affected_package_name'), alert.text('affected_range'), severity && `(${severity})`],
    details: [alert.text('ghsa_id') || alert.text('external_identifier'), fixed && `fixed in ${fixed}`],
    severity,
  });
}

/** Reads a published advisory, which is not tied to a repository of the organization. */
export function securityAdvisory(body: Payload): NativeMessage {
  const advisory = body.object('security_advisory');
  const names = advisory.list('vulnerabilities').map((of) => packageName(of.object('package')));
  const severity = advisory.text('severity');
  const [reference] = advisory.list('references');
  return {
    lines: [
      line(
        'security advisory',
        body.text('action').replaceAll('_', ' ') + ':',
        advisory.text('summary'),
        severity && `(${severity})`,
      ),
      [...new Set(names)].filter((name) => name !== '').join(', '),
    ],
    links: [{ label: 'Open', url: advisory.text('html_url') || reference?.text('url') || '' }],
    severity: severityOfAction(body, severity),
  };
}

function packageName(of: Payload): string {
  return line(of.text('name'), of.text('ecosystem') && `(${of.text('ecosystem')})`);
}

function alertMessage(
  body: Payload,
  alert: Payload,
  noun: string,
  { words, details, severity }: { words: string[]; details: string[]; severity: string },
): NativeMessage {
  const number = alert.text('number') && `#${alert.text('number')}`;
  return {
    lines: [line(noun, number, `${body.text('action').replaceAll('_', ' ')}:`, ...words), ...details],
    links: [
      {
        label: 'Open',
        url:
          alert.text('html_url') || alert.text('external_reference') || body.text('repository', 'html_url'),
      },
    ],
    severity: severityOfAction(body, severity),
  };
}

function severityOfAction(body: Payload, severity: string): Severity {
  return OVER.has(body.word('action')) ? 'info' : (ADVISORY_SEVERITIES.get(severity.toLowerCase()) ?? 'info');
}
