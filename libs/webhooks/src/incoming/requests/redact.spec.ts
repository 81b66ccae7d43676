import { TOKEN_PREFIXES } from '@tieline/platform/http';
import { newSigningSecret, newToken } from '@tieline/signing';
import { redactBody } from './redact.js';

const kept = (text: string): string => redactBody(Buffer.from(text), 'own-token').toString();

test.each(Object.entries(TOKEN_PREFIXES))('the token of a %s (%s) is redacted', (_, prefix) => {
  const token = newToken(prefix);
  expect(kept(JSON.stringify({ text: `token=${token}; more` }))).toBe('{"text":"token=***; more"}');
  expect(kept(token.toUpperCase())).toBe('***');
});

test('signing secrets are redacted, also if JSON or a form escaped them', () => {
  const secret = newSigningSecret();
  for (const written of [secret, secret.replaceAll('/', '\\/'), encodeURIComponent(secret)])
    expect(kept(`a ${written} b`)).toBe('a *** b');
});

test("the webhook's own token is redacted", () => {
  expect(kept('https://chat.example/hooks/own-token')).toBe('https://chat.example/hooks/***');
});

test('a string that only resembles the start of a token stays', () => {
  expect(kept('tlb_short, total_bytes_of_the_last_backup')).toBe('tlb_short, total_bytes_of_the_last_backup');
});
