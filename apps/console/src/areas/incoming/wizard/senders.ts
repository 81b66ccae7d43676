import registered from './senders.json' with { type: 'json' };

/** A snippet to copy into a program. The kind is a key of the texts. */
interface Snippet {
  kind: 'address' | 'config' | 'baseUrl' | 'token' | 'pipeline' | 'script' | 'api';
  /** With the example address of docs/senders.md in it. */
  text: string;
}

/** A program that the wizard has settings for. */
export interface Sender {
  id: string;
  /** The same in every language. */
  name: string;
  /** Whether the program signs with a secret that is set in it and in the webhook. */
  hasSecret: boolean;
  snippets: readonly Snippet[];
}

interface Address {
  /** As returned by the API: `https://chat.example.com/api/v1/webhooks/incoming/TOKEN`. */
  url: string;
  token: string;
  /** Set if each request must be signed. */
  isSigned?: boolean;
}

const EXAMPLE = 'https://chat.example.com';

/** A script of the admin's own, which may sign its requests. */
export const CURL: Sender = { id: 'curl', name: 'curl', hasSecret: false, snippets: [] };

/** The programs with a setup.md in libs/webhooks, which `npm run docs` copies here, and curl. */
export const SENDERS: readonly Sender[] = [...(registered as readonly Sender[]), CURL];

/** Returns the snippets for a sender, with the address inserted (docs/senders.md). */
export function snippetsFor({ id, snippets }: Sender, { url, token, isSigned }: Address): Snippet[] {
  if (id === CURL.id) return [{ kind: 'script', text: isSigned ? signedCurl(url) : curl(url) }];
  const { origin } = new URL(url);
  return snippets.map(({ kind, text }) => ({
    kind,
    text: text.replaceAll(EXAMPLE, origin).replaceAll(/(^|\/)TOKEN\b/g, `$1${token}`),
  }));
}

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
