import { readFileSync } from 'node:fs';
import { parseIncoming } from './formats.js';
import type { IncomingMessage } from './formats.js';

interface Recorded {
  user_agent: string | null;
  decoded: unknown;
}

const recorded = readFileSync(new URL('./testing/recorded-senders.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded);

function shown(body: unknown): IncomingMessage {
  const parsed = parseIncoming(body);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.message;
}

describe('requests recorded from stock programs', () => {
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
        text: '',
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

  test('each of them is accepted', () => {
    expect(recorded.map(({ decoded }) => parseIncoming(decoded).ok)).toEqual(recorded.map(() => true));
  });
});

/** What stock programs send, written after their published sources; `channel`, `icon_emoji` and the like mean nothing here. */
describe('other stock programs', () => {
  const button = (text: string, url: string): object => ({
    type: 'button',
    text: { type: 'plain_text', text },
    value: 'x',
    url,
  });
  const mrkdwn = (text: string): object => ({ type: 'mrkdwn', text });
  const plain = (text: string): object => ({ type: 'plain_text', text, emoji: true });
  const kept = (text: string): object => ({ type: 'plain_text', text });

  const senders: [string, object, object][] = [
    [
      'Grafana: blocks is null, empty parts, a title link over HTTP',
      {
        channel: '',
        username: 'Grafana',
        icon_url: 'https://grafana.com/static/assets/img/fav32.png',
        blocks: null,
        attachments: [
          {
            title: '[FIRING:1] High CPU (node1)',
            title_link: 'http://grafana:3000/alerting/list',
            text: '**Firing**\n\nValue: A=93.1',
            fallback: '[FIRING:1] High CPU (node1)',
            footer: 'Grafana v11.2.0',
            footer_icon: 'https://grafana.com/static/assets/img/fav32.png',
            color: '#D63232',
            ts: 1795210464,
            fields: null,
            image_url: '',
          },
        ],
      },
      {
        text: '',
        displayName: 'Grafana',
        metadata: {
          attachments: [
            {
              title: '[FIRING:1] High CPU (node1)',
              text: '**Firing**\n\nValue: A=93.1',
              fallback: '[FIRING:1] High CPU (node1)',
              footer: 'Grafana v11.2.0',
              footer_icon: 'https://grafana.com/static/assets/img/fav32.png',
              color: '#D63232',
              ts: 1795210464,
            },
          ],
        },
        notes: ['attachments[0].title_link: dropped, no HTTPS address'],
      },
    ],
    [
      'Grafana that mentions everybody, and people and groups of another chat',
      {
        username: 'Grafana',
        attachments: [
          {
            title: 't',
            text: 'x',
            fallback: 't',
            pretext: '<!channel|channel> <!subteam^S1> <@U1>',
            mrkdwn_in: ['pretext'],
            footer: '',
            footer_icon: '',
          },
        ],
      },
      {
        mentionsChannel: true,
        mentions: [],
        metadata: {
          attachments: [
            { title: 't', text: 'x', fallback: 't', pretext: '<!channel|channel> <!subteam^S1> <@U1>' },
          ],
        },
      },
    ],
    [
      'an old Grafana that mentions in a block',
      {
        username: 'Grafana',
        attachments: [{ title: 't', text: '', fallback: 't', footer: '', footer_icon: '' }],
        blocks: [{ type: 'section', text: mrkdwn('<!channel|channel>') }],
      },
      {
        metadata: {
          attachments: [{ title: 't', fallback: 't' }],
          blocks: [{ type: 'section', text: mrkdwn('<!channel|channel>') }],
        },
      },
    ],
    [
      'GitLab: a push',
      {
        channel: '#dev',
        username: 'GitLab',
        text: 'Ann (ann) pushed to branch <https://gitlab.example/g/p/-/commits/main|main> of <https://gitlab.example/g/p|g / p> (<https://gitlab.example/g/p/-/compare/a...b|Compare changes>)',
        attachments: [
          { text: '<https://gitlab.example/g/p/-/commit/abc|abc>: Fix *all* - Ann', color: '#345' },
        ],
        fallback: 'Ann pushed',
      },
      {
        text: 'Ann (ann) pushed to branch [main](https://gitlab.example/g/p/-/commits/main) of [g / p](https://gitlab.example/g/p) ([Compare changes](https://gitlab.example/g/p/-/compare/a...b))',
        metadata: {
          attachments: [
            { text: '<https://gitlab.example/g/p/-/commit/abc|abc>: Fix *all* - Ann', color: '#345' },
          ],
        },
      },
    ],
    [
      'GitLab: an issue without attachments, a pipeline without a text',
      {
        text: '',
        fallback: 'x',
        attachments: [
          {
            fallback: 'x',
            color: 'danger',
            author_name: 'Ann (ann)',
            author_icon: '/uploads/a.png',
            author_link: 'https://gitlab.example/ann',
            title: 'Pipeline #7 has failed in 00:42',
            title_link: 'https://gitlab.example/g/p/-/pipelines/7',
            fields: [{ title: 'Branch', value: '<https://gitlab.example/b|main>', short: true }],
            footer: 'p',
            footer_icon: null,
            ts: null,
          },
        ],
      },
      {
        text: '',
        metadata: {
          attachments: [
            {
              fallback: 'x',
              color: 'danger',
              author_name: 'Ann (ann)',
              author_link: 'https://gitlab.example/ann',
              title: 'Pipeline #7 has failed in 00:42',
              title_link: 'https://gitlab.example/g/p/-/pipelines/7',
              fields: [{ title: 'Branch', value: '<https://gitlab.example/b|main>', short: true }],
              footer: 'p',
            },
          ],
        },
      },
    ],
    [
      'Jenkins: a field without a title',
      {
        channel: '#ci',
        link_names: '1',
        unfurl_links: 'true',
        unfurl_media: 'true',
        attachments: [
          {
            fallback: 'job #7 FAILURE',
            color: 'danger',
            fields: [{ short: false, value: 'job #7 FAILURE (<https://ci.example/7|Open>)' }],
            mrkdwn_in: ['pretext', 'text', 'fields'],
          },
        ],
      },
      {
        text: '',
        metadata: {
          attachments: [
            {
              fallback: 'job #7 FAILURE',
              color: 'danger',
              fields: [{ short: false, value: 'job #7 FAILURE (<https://ci.example/7|Open>)' }],
            },
          ],
        },
      },
    ],
    [
      'Jenkins: slackSend with blocks',
      {
        channel: '#ci',
        text: 'x',
        blocks: [
          { type: 'section', text: mrkdwn('Hello') },
          {
            type: 'section',
            block_id: 's',
            text: mrkdwn('Pick'),
            accessory: button('Farmhouse', 'https://x.example'),
          },
        ],
        link_names: '1',
      },
      {
        text: 'x',
        metadata: {
          blocks: [
            { type: 'section', text: mrkdwn('Hello') },
            { type: 'section', text: mrkdwn('Pick') },
          ],
          buttons: [{ text: 'Farmhouse', url: 'https://x.example' }],
        },
      },
    ],
    [
      'Uptime Kuma: blocks inside an attachment, an audience at the end of the text',
      {
        text: 'Uptime Kuma Alert\n[Site] [🔴 Down] timeout <!channel>',
        channel: '',
        username: 'Uptime Kuma',
        icon_emoji: ':rotating_light:',
        attachments: [
          {
            color: '#e01e5a',
            blocks: [
              { type: 'header', text: { type: 'plain_text', text: 'Uptime Kuma Alert' } },
              {
                type: 'section',
                fields: [
                  mrkdwn('*Message*\n[Site] [🔴 Down] timeout'),
                  mrkdwn('*Time (UTC)*\n2026-11-21 07:00:00'),
                ],
              },
              {
                type: 'actions',
                elements: [
                  button('Visit Uptime Kuma', 'https://kuma.example/dashboard/1'),
                  { type: 'button', text: plain('Visit site'), value: 'Site', url: 'http://site.example' },
                ],
              },
            ],
          },
        ],
      },
      {
        text: 'Uptime Kuma Alert\n[Site] [🔴 Down] timeout @channel',
        mentionsChannel: true,
        displayName: 'Uptime Kuma',
        metadata: {
          attachments: [
            {
              color: '#e01e5a',
              blocks: [
                { type: 'header', text: { type: 'plain_text', text: 'Uptime Kuma Alert' } },
                {
                  type: 'section',
                  fields: [
                    mrkdwn('*Message*\n[Site] [🔴 Down] timeout'),
                    mrkdwn('*Time (UTC)*\n2026-11-21 07:00:00'),
                  ],
                },
              ],
            },
          ],
          buttons: [{ text: 'Visit Uptime Kuma', url: 'https://kuma.example/dashboard/1' }],
        },
      },
    ],
    [
      'Uptime Kuma as for Mattermost: a line end in a title, missing values',
      {
        username: 'Site Uptime Kuma',
        channel: null,
        icon_emoji: '',
        icon_url: '',
        attachments: [
          {
            fallback: 'down',
            color: '#FF0000',
            title: 'Site went down.\nnow',
            title_link: 'http://site.example',
            fields: [
              { short: false, title: 'Error' },
              { short: true, title: 'Time (UTC)', value: 'now' },
            ],
          },
        ],
      },
      {
        displayName: 'Site Uptime Kuma',
        metadata: {
          attachments: [
            {
              fallback: 'down',
              color: '#FF0000',
              title: 'Site went down.\nnow',
              fields: [
                { short: false, title: 'Error' },
                { short: true, title: 'Time (UTC)', value: 'now' },
              ],
            },
          ],
        },
      },
    ],
    [
      'apprise as for Slack: fractions of a second, an empty title',
      {
        mrkdwn: false,
        attachments: [
          {
            title: '',
            text: 'body',
            color: '#3AA3E3',
            footer_icon: 'https://x.example/i.png',
            footer: 'Apprise',
            ts: 1795210464.1234567,
          },
        ],
        icon_url: 'https://x.example/i.png',
        username: 'Apprise',
      },
      {
        displayName: 'Apprise',
        avatarUrl: 'https://x.example/i.png',
        metadata: {
          attachments: [
            {
              text: 'body',
              color: '#3AA3E3',
              footer_icon: 'https://x.example/i.png',
              footer: 'Apprise',
              ts: 1795210464.1234567,
            },
          ],
        },
      },
    ],
    [
      'apprise as for Slack with blocks',
      {
        attachments: [
          {
            blocks: [
              { type: 'header', text: plain('T') },
              { type: 'section', text: { type: 'plain_text', text: 'body' } },
              {
                type: 'context',
                elements: [
                  { type: 'image', image_url: 'https://x.example/i.png', alt_text: 'info' },
                  { type: 'plain_text', text: 'Apprise' },
                ],
              },
            ],
            color: '#A32037',
          },
        ],
      },
      {
        metadata: {
          attachments: [
            {
              blocks: [
                { type: 'header', text: kept('T') },
                { type: 'section', text: kept('body') },
                {
                  type: 'context',
                  elements: [
                    { type: 'image', image_url: 'https://x.example/i.png', alt_text: 'info' },
                    kept('Apprise'),
                  ],
                },
              ],
              color: '#A32037',
            },
          ],
        },
      },
    ],
    [
      'apprise as for Mattermost',
      { text: 'body', icon_url: null, username: 'Apprise', channel: 'town-square' },
      { text: 'body', displayName: 'Apprise' },
    ],
    [
      'apprise as for Rocket.Chat',
      { text: '*body*', avatar: 'https://x.example/i.png', channel: '#general' },
      { text: '**body**' },
    ],
    [
      'Sentry: a colour without #',
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
      'Flux: empty keys everywhere',
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
      { text: 'The door is open' },
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
      'a relay of cloud alarms: a colour’s name with a capital letter',
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
