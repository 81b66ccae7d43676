/** Senders that the wizard has settings for. */
export const SENDERS = [
  'alertmanager',
  'grafana',
  'github',
  'gitlab',
  'sentry',
  'jenkins',
  'kuma',
  'curl',
] as const;
export type Sender = (typeof SENDERS)[number];

/** Display names of senders, the same in every language. */
export const SENDER_NAMES: Readonly<Record<Sender, string>> = {
  alertmanager: 'Alertmanager',
  grafana: 'Grafana',
  github: 'GitHub',
  gitlab: 'GitLab',
  sentry: 'Sentry',
  jenkins: 'Jenkins',
  kuma: 'Uptime Kuma',
  curl: 'curl',
};

/** Senders with their own signatures, using a secret set in the sender. */
export const SIGNING_SENDERS: readonly Sender[] = ['github', 'sentry'];

/** A snippet to copy into a program. The kind is a key of the texts. */
export interface Snippet {
  kind: 'address' | 'config' | 'baseUrl' | 'token' | 'pipeline' | 'script' | 'api';
  text: string;
}

interface Address {
  /** As returned by the API: `https://chat.example.com/api/v1/webhooks/incoming/TOKEN`. */
  url: string;
  token: string;
  /** Set if each request must be signed. */
  isSigned?: boolean;
}

/** Returns the snippets for a sender, with the address inserted (docs/senders.md). */
export function snippetsFor(sender: Sender, { url, token, isSigned }: Address): Snippet[] {
  const origin = new URL(url).origin;
  switch (sender) {
    case 'alertmanager':
      return [{ kind: 'config', text: alertmanager(`${origin}/services/prometheus/alerts/${token}`) }];
    case 'grafana':
      // Some versions treat the plain “ok” of the other addresses as a failure and send again.
      return [
        { kind: 'address', text: url },
        { kind: 'config', text: grafana(url) },
      ];
    case 'gitlab':
      return [
        { kind: 'address', text: `${origin}/hooks/${token}` },
        { kind: 'api', text: gitlab(`${origin}/hooks/${token}`) },
      ];
    case 'jenkins':
      return [
        { kind: 'baseUrl', text: `${origin}/hooks/` },
        { kind: 'token', text: token },
        { kind: 'pipeline', text: JENKINS },
      ];
    case 'kuma':
      return [{ kind: 'address', text: `${origin}/services/kuma/alerts/${token}` }];
    case 'curl':
      return [{ kind: 'script', text: isSigned ? signedCurl(url) : curl(url) }];
    default:
      return [{ kind: 'address', text: url }];
  }
}

const alertmanager = (url: string): string => `receivers:
  - name: chat
    slack_configs:
      - api_url: ${url}
        channel: '#alerts'
        send_resolved: true
        title: '[{{ .Status | toUpper }}] {{ .CommonLabels.alertname }}'
        pretext: '{{ if eq .CommonLabels.severity "critical" }}<!channel>{{ end }}'
        text: '{{ range .Alerts }}{{ .Annotations.summary }}{{ "\\n" }}{{ end }}'
`;

const grafana = (url: string): string => `apiVersion: 1
contactPoints:
  - orgId: 1
    name: chat
    receivers:
      - uid: chat
        type: slack
        settings:
          url: ${url}
`;

const gitlab = (url: string): string =>
  `curl -X PUT "https://gitlab.example.com/api/v4/projects/$PROJECT_ID/integrations/mattermost" -H "PRIVATE-TOKEN: $GITLAB_TOKEN" \\
  --data-urlencode "webhook=${url}" -d push_events=true -d pipeline_events=true -d notify_only_broken_pipelines=true
`;

const JENKINS = `post {
  failure {
    slackSend color: 'danger', message: "\${env.JOB_NAME} #\${env.BUILD_NUMBER} failed (<\${env.BUILD_URL}|Open>)"
  }
}
`;

const curl = (url: string): string => `curl -fsS '${url}' \\
  -H 'Content-Type: application/json' \\
  -d '{"text": "*Backup* of _db1_ failed", "username": "backup", "severity": "critical"}'
`;

const signedCurl = (
  url: string,
): string => `BODY='{"text": "*Backup* of _db1_ failed", "severity": "critical"}'
TIMESTAMP=$(date +%s)
SIGNATURE=$(printf '%s.%s' "$TIMESTAMP" "$BODY" | openssl dgst -sha256 -hmac "$SIGNING_SECRET" | sed 's/^.* //')
curl -fsS '${url}' \\
  -H 'Content-Type: application/json' \\
  -H "X-Service-Timestamp: $TIMESTAMP" -H "X-Service-Signature: sha256=$SIGNATURE" --data-binary "$BODY"
`;
