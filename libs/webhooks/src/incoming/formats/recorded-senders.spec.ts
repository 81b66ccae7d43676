import { readFileSync } from 'node:fs';
import { readMessage } from '../read-message.js';
import type { IncomingMessage } from '../message/incoming-message.js';

interface Recorded {
  user_agent: string | null;
  decoded: unknown;
}

const recorded = readFileSync(new URL('../testing/recorded-senders.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded);

function shown(body: unknown): IncomingMessage {
  const parsed = readMessage(body);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.message;
}

describe('requests recorded from unmodified programs', () => {
  test.each([
    ['slack:webhook', { text: 'plain **bold** [link](https://x.example)', displayName: 'deploy' }],
    [
      null,
      {
        text: 'Here is the latest news',
        displayName: 'Jimmy',
        metadata: {
          attachments: [
            {
              fallback: 'Required Fallback String',
              fields: [{ title: 'CPU usage', value: '7.5', short: true }],
            },
          ],
        },
      },
    ],
    ['axios', { text: 'error: winston says hi' }],
    [
      'curl',
      {
        text: 'vm needs attention, `test.chart` (*test.family*), **test alarm = new value**',
        displayName: 'netdata on vm',
        avatarUrl: 'https://registry.my-netdata.io/images/banner-icon-144x144.png',
        metadata: {
          attachments: [
            expect.objectContaining({
              color: 'warning',
              title: 'test alarm = new value',
              fields: [
                { title: 'test.chart', short: true },
                { title: 'test.family', short: true },
              ],
              footer: 'by vm',
              ts: 1795210464,
            }),
          ],
        },
      },
    ],
    ['Apprise', { text: 'T1\r\n**hello** body [l](https://x.example)', displayName: 'Apprise' }],
    [
      'Alertmanager',
      {
        text: '[FIRING:1] DiskFull (db1 critical)\nsev: critical',
        severity: 'critical',
        displayName: 'am',
        metadata: {
          attachments: [
            {
              color: 'danger',
              title: '[FIRING:1] DiskFull (db1 critical)',
              fallback: '[FIRING:1] DiskFull (db1 critical) | http://vm:19093/#/alerts?receiver=s',
              fields: [{ title: 'sev', value: 'critical', short: true }],
              image_url: 'https://example.com/im.png',
              thumb_url: 'https://example.com/t.png',
            },
          ],
          buttons: [{ text: 'Runbook', url: 'https://rb.example/1' }],
        },
      },
    ],
  ])('%s', (agent, wanted) => {
    const request = recorded.find(({ user_agent: name }) =>
      agent === null ? name === null : name?.includes(agent),
    );
    expect(shown(request?.decoded)).toMatchObject(wanted);
  });

  test('all of them are accepted', () => {
    expect(recorded.map(({ decoded }) => readMessage(decoded).ok)).toEqual(recorded.map(() => true));
  });
});
