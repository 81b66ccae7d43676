import { readMessage } from '../read-message.js';
import type { IncomingMessage } from '../message/incoming-message.js';

function shown(body: unknown): IncomingMessage {
  const parsed = readMessage(body);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.message;
}

/**
 * Bodies written after the published sources of programs. `channel`, `icon_emoji` and similar
 * fields have no effect here.
 */
describe('other unmodified programs', () => {
  const mrkdwn = (text: string): object => ({ type: 'mrkdwn', text });

  const senders: [string, object, object][] = [
    [
      'Sentry: a color without #',
      {
        username: 'Sentry',
        attachments: [
          {
            fallback: '[web] TypeError',
            title: 'TypeError',
            title_link: 'https://sentry.example/1?referrer=slack',
            color: 'f43f20',
            fields: [
              { title: 'Culprit', value: 'app.views', short: false },
              { title: 'Triggered By', value: '<https://sentry.example/r | rule>', short: false },
            ],
          },
        ],
      },
      {
        metadata: {
          attachments: [
            {
              fallback: '[web] TypeError',
              title: 'TypeError',
              title_link: 'https://sentry.example/1?referrer=slack',
              color: '#f43f20',
              fields: [
                { title: 'Culprit', value: 'app.views', short: false },
                { title: 'Triggered By', value: '<https://sentry.example/r | rule>', short: false },
              ],
            },
          ],
        },
      },
    ],
    [
      'a Datadog template',
      {
        text: '[Triggered] CPU on web1 &gt; 90 <!here>',
        severity: 'ERROR',
        attachments: [
          {
            color: 'danger',
            title: 'CPU',
            title_link: 'https://app.datadoghq.com/event/1',
            ts: '1795210464',
            fields: [{ title: 'value', value: 93 }],
          },
        ],
      },
      {
        text: '[Triggered] CPU on web1 > 90 @here',
        severity: 'critical',
        mentionsHere: true,
        metadata: {
          severity: 'critical',
          attachments: [
            {
              color: 'danger',
              title: 'CPU',
              title_link: 'https://app.datadoghq.com/event/1',
              ts: 1795210464,
              fields: [{ title: 'value', value: '93' }],
            },
          ],
        },
      },
    ],
    [
      'an Argo CD template',
      {
        attachments: [
          {
            title: 'guestbook',
            title_link: 'https://argocd.example/applications/guestbook',
            color: '#18be52',
            fields: [{ title: 'Sync Status', value: 'Synced', short: true }],
          },
        ],
      },
      {
        metadata: {
          attachments: [
            {
              title: 'guestbook',
              title_link: 'https://argocd.example/applications/guestbook',
              color: '#18be52',
              fields: [{ title: 'Sync Status', value: 'Synced', short: true }],
            },
          ],
        },
      },
    ],
    [
      'Flux: empty fields everywhere',
      {
        channel: '',
        username: 'kustomize-controller',
        icon_url: '',
        icon_emoji: '',
        attachments: [
          {
            color: 'danger',
            author_name: 'kustomization/apps.flux-system',
            text: 'build failed',
            mrkdwn_in: ['text'],
            fields: [{ title: 'revision', value: 'main@sha1:abc', short: false }],
          },
        ],
      },
      {
        displayName: 'kustomize-controller',
        metadata: {
          attachments: [
            {
              color: 'danger',
              author_name: 'kustomization/apps.flux-system',
              text: 'build failed',
              fields: [{ title: 'revision', value: 'main@sha1:abc', short: false }],
            },
          ],
        },
      },
    ],
    [
      'a Zabbix media type: numbers as texts',
      {
        channel: '#ops',
        username: 'Zabbix',
        severity: 'Disaster',
        attachments: [
          {
            fallback: 'PROBLEM',
            title: 'Disk is full',
            color: '#E45959',
            title_link: 'https://zbx.example/tr_events.php?triggerid=1',
            fields: [
              { title: 'Severity', value: 5, short: true },
              { title: 'Opdata', value: '', short: true },
            ],
            ts: '1795210464',
            actions: [],
          },
        ],
      },
      {
        severity: 'warning',
        metadata: {
          severity: 'warning',
          attachments: [
            {
              fallback: 'PROBLEM',
              title: 'Disk is full',
              color: '#E45959',
              title_link: 'https://zbx.example/tr_events.php?triggerid=1',
              fields: [
                { title: 'Severity', value: '5', short: true },
                { title: 'Opdata', short: true },
              ],
              ts: 1795210464,
            },
          ],
        },
      },
    ],
    [
      'Home Assistant’s RESTful notification',
      { text: 'The door is open', title: 'Home Assistant', target: null },
      { text: 'Home Assistant\nThe door is open' },
    ],
    [
      'Alertmanager: short is missing, actions that confirm, an empty text',
      {
        channel: '#alerts',
        username: 'Alertmanager',
        icon_emoji: ':fire:',
        link_names: false,
        attachments: [
          {
            title: '[RESOLVED] Disk',
            text: '',
            pretext: '<!here> *Disk*',
            fallback: 'Disk',
            callback_id: '',
            fields: [{ title: 'env', value: 'prod' }],
            color: 'good',
            actions: [
              { type: 'button', text: 'Silence', name: 'silence', value: '1', confirm: { text: 'Sure?' } },
              { type: 'button', text: 'Graph', url: 'https://prom.example/g' },
            ],
            mrkdwn_in: ['pretext'],
          },
        ],
      },
      {
        mentionsHere: true,
        metadata: {
          attachments: [
            {
              title: '[RESOLVED] Disk',
              pretext: '<!here> *Disk*',
              fallback: 'Disk',
              fields: [{ title: 'env', value: 'prod' }],
              color: 'good',
            },
          ],
          buttons: [{ text: 'Graph', url: 'https://prom.example/g' }],
        },
      },
    ],
    [
      'the Slack SDK and the slackapi action',
      {
        text: 'GitHub Action build result: success\n<https://github.com/o/r/pull/1>',
        unfurl_links: false,
        blocks: [
          { type: 'section', text: mrkdwn('GitHub Action build result: success') },
          { type: 'rich_text', elements: [] },
          { type: 'divider', block_id: 'x' },
        ],
        metadata: { event_type: 'x' },
      },
      {
        text: 'GitHub Action build result: success\nhttps://github.com/o/r/pull/1',
        metadata: {
          blocks: [
            { type: 'section', text: mrkdwn('GitHub Action build result: success') },
            { type: 'divider' },
          ],
        },
      },
    ],
    [
      'a relay of cloud alarms: a color name with a capital letter',
      {
        channel: '# ops',
        username: 'Alarm notification',
        text: 'CPU\n*ALARM*',
        link_names: '1',
        attachments: [{ color: 'Warning', text: '```{}```' }],
      },
      { text: 'CPU\n**ALARM**', metadata: { attachments: [{ color: 'warning', text: '```{}```' }] } },
    ],
  ];

  test.each(senders)('%s', (_what, body, wanted) => {
    const message = shown(body);
    expect(message).toMatchObject(wanted);
    expect(message.metadata).toEqual((wanted as { metadata?: object }).metadata);
  });
});
