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
describe('unmodified programs', () => {
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
        text: '[FIRING:1] High CPU (node1)\n**Firing**\n\nValue: A=93.1',
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
        notes: ['attachments[0].title_link: dropped, not an HTTPS address'],
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
        text: '@channel\nt',
        mentionsChannel: true,
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
        text: 'Pipeline #7 has failed in 00:42\nBranch: [main](https://gitlab.example/b)',
        severity: 'critical',
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
        text: 'job #7 FAILURE ([Open](https://ci.example/7))',
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
  ];

  test.each(senders)('%s', (_what, body, wanted) => {
    const message = shown(body);
    expect(message).toMatchObject(wanted);
    expect(message.metadata).toEqual((wanted as { metadata?: object }).metadata);
  });
});
