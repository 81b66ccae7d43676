import { CURL, SENDERS, snippetsFor } from './senders.js';
import type { Sender } from './senders.js';

const ADDRESS = { url: 'https://chat.example.com/api/v1/webhooks/incoming/tlh_1', token: 'tlh_1' };
const named = (id: string): Sender => SENDERS.find((sender) => sender.id === id) ?? CURL;
const all = (id: string, isSigned = false) =>
  snippetsFor(named(id), { ...ADDRESS, isSigned })
    .map(({ text }) => text)
    .join('\n');

it.each(SENDERS.map(({ id }) => id))(
  '%s: the snippets have the address in them, and nothing left to fill in',
  (sender) => {
    expect(all(sender)).toContain('chat.example.com');
    expect(all(sender)).toContain('tlh_1');
    expect(all(sender)).not.toMatch(/(^|\/)TOKEN\b/);
  },
);

it('gives each program a form of the address that it supports', () => {
  expect(all('alertmanager')).toContain('api_url: https://chat.example.com/services/prometheus/alerts/tlh_1');
  expect(all('grafana')).toContain('url: https://chat.example.com/api/v1/webhooks/incoming/tlh_1');
  expect(all('gitlab')).toContain('webhook=https://chat.example.com/hooks/tlh_1');
  expect(all('uptime-kuma')).toBe('https://chat.example.com/services/kuma/alerts/tlh_1');
  expect(snippetsFor(named('jenkins'), ADDRESS)[0]).toEqual({
    kind: 'baseUrl',
    text: 'https://chat.example.com/hooks/',
  });
});

it('signs only where required, and never with the secret in the script', () => {
  expect(all('curl')).not.toContain('Signature');
  expect(all('curl', true)).toContain('-hmac "$SIGNING_SECRET"');
});
