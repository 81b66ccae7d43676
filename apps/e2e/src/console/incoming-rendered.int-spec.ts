import type { Page } from 'playwright-core';
import { browserTest, ConsoleHarness } from './browser.js';
import type { ConsoleSpace } from './browser.js';

let started: ConsoleHarness | undefined;
let space: ConsoleSpace;
let page: Page;

function harness(): ConsoleHarness {
  if (!started) throw new Error('no browser');
  return started;
}

beforeAll(async () => {
  started = await ConsoleHarness.start();
  if (!started) return;
  space = await started.createSpace();
  page = await started.openSignedIn(space.ownerToken, '/');
});

afterAll(() => started?.close());

interface Body {
  body: object | string;
  type?: string;
  /** Whether to post in Mattermost format. */
  isMattermost?: boolean;
}

/** Creates a channel with a webhook. */
async function channelWithHook(): Promise<{ channelId: string; hook: string }> {
  const { conversation } = await harness().call('POST', '/api/v1/client/conversations', space.ownerToken, {
    name: `alerts ${Math.random().toString(36).slice(2, 8)}`,
  });
  const { url } = await harness().call('POST', '/api/v1/admin/incoming_webhooks', space.ownerToken, {
    name: 'Monitoring',
    conversation_id: conversation.id,
    require_signature: false,
  });
  return { channelId: conversation.id, hook: new URL(url).pathname };
}

/** Posts to a new webhook and opens its channel. */
async function post({ body, type = 'application/json', isMattermost = false }: Body): Promise<void> {
  const { channelId, hook } = await channelWithHook();
  const path = isMattermost ? `/hooks/${hook.split('/').at(-1)}` : hook;
  const response = await fetch(`${harness().api.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': type },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  expect([response.status, await response.text()]).toEqual([200, expect.anything()]);
  await page.goto(`/chat/${channelId}`);
  await page.getByRole('article').first().waitFor();
}

/** Returns what a person sees of the only message: text, link targets and emphasis. */
async function renderedMessage(): Promise<Record<string, unknown>> {
  return page
    .getByRole('article')
    .first()
    .locator('[class*="_body_"]')
    .evaluate((body: any) => {
      const texts = (selector: string) =>
        [...body.querySelectorAll(selector)].map((one: any) => one.innerText.trim());
      return {
        words: body.innerText
          .split('\n')
          .map((line: string) => line.trim())
          .filter(Boolean),
        links: [...body.querySelectorAll('a')].map((link: any) => [
          link.innerText,
          link.getAttribute('href'),
        ]),
        bold: texts('strong'),
        italic: texts('em'),
        struck: texts('s'),
        code: texts('code'),
        mentions: texts('[class*="mention"]'),
        blocks: texts('h1, h2, h3, li, blockquote, table'),
      };
    });
}

const PLAIN = { links: [], bold: [], italic: [], struck: [], code: [], mentions: [], blocks: [] };
const MARKUP = '*Build* <https://ci.example/job/1|#12> failed for <!here> ~old~';

const CASES: [string, Body, Record<string, unknown>][] = [
  [
    'an attachment in Slack markup, once (mattermost#2958, rocketchat#2298)',
    {
      body: {
        attachments: [{ color: 'danger', pretext: MARKUP, fields: [{ title: 'State', value: '_bad_' }] }],
      },
    },
    {
      words: ['Build #12 failed for @here old', 'State', 'bad'],
      links: [['#12', 'https://ci.example/job/1']],
      bold: ['Build'],
      italic: ['bad'],
      struck: ['old'],
      mentions: ['@here'],
    },
  ],
  [
    'a section in Slack markup (mattermost#1868, rocketchat#7079)',
    { body: { blocks: [{ type: 'section', text: { type: 'mrkdwn', text: MARKUP } }] } },
    {
      words: ['Build #12 failed for @here old'],
      links: [['#12', 'https://ci.example/job/1']],
      bold: ['Build'],
      struck: ['old'],
      mentions: ['@here'],
    },
  ],
  [
    'code that starts right after its fence (rocketchat#22867, element-web#10284)',
    { body: { text: '*CI failed*\n```Error: disk full on db1\nat host1```\n*after*' } },
    {
      words: ['CI failed', 'Error: disk full on db1', 'at host1', 'after'],
      bold: ['CI failed', 'after'],
      code: ['Error: disk full on db1\nat host1'],
    },
  ],
  [
    'the same in an attachment',
    { body: { attachments: [{ text: '```Error: disk full on db1\nat host1```' }] } },
    { words: ['Error: disk full on db1', 'at host1'], code: ['Error: disk full on db1\nat host1'] },
  ],
  [
    'plain text, literally (mattermost#7601, nextcloud/spreed#13653)',
    {
      type: 'text/plain',
      body: 'disk of *db1* in /app/__init__.py C:\\_tmp\\*.log\nSummary\n-------\n2024. a year\n# 1 full',
    },
    {
      words: [
        'disk of *db1* in /app/__init__.py C:\\_tmp\\*.log',
        'Summary',
        '-------',
        '2024. a year',
        '# 1 full',
      ],
    },
  ],
  [
    'a title of an issue that looks like a link, literally (nextcloud/spreed#10890)',
    {
      body: {
        action: 'opened',
        issue: {
          number: 7,
          title: '[Click](https://evil.example) **now** <@0198f3a2-7c1b-7a10-9d1a-3f1d2c4b5a60>',
          html_url: 'https://github.example/o/r/issues/7',
          user: { login: 'bob' },
        },
        repository: { full_name: 'o/r', html_url: 'https://github.example/o/r' },
        sender: { login: 'bob' },
      },
    },
    { bold: [], mentions: [] },
  ],
  [
    'a path with backslashes in Slack text, literally (OfficeDev/outlook-dev-docs#864)',
    { body: { text: '\\\\nas01\\backup is *full*' } },
    { words: ['\\\\nas01\\backup is full'], bold: ['full'] },
  ],
  [
    'text without markup if the sender disables it',
    { body: { text: 'a *b* _c_ ~d~', mrkdwn: false } },
    { words: ['a *b* _c_ ~d~'] },
  ],
  [
    "Mattermost's Markdown at its address",
    { isMattermost: true, body: { text: '*italic* **bold** \\*escaped\\* <https://a.example|label>' } },
    {
      words: ['italic bold *escaped* label'],
      bold: ['bold'],
      italic: ['italic'],
      links: [['label', 'https://a.example']],
    },
  ],
  [
    "Mattermost's Markdown in an attachment at its address",
    { isMattermost: true, body: { attachments: [{ text: '*italic* **bold** <https://a.example|label>' }] } },
    {
      words: ['italic bold label'],
      bold: ['bold'],
      italic: ['italic'],
      links: [['label', 'https://a.example']],
    },
  ],
  [
    'a quote, and the line after it outside of it',
    { body: { text: '> quoted\nafter' } },
    { words: ['quoted', 'after'], blocks: ['quoted'] },
  ],
  [
    'rich text alone (bolt-js#1324)',
    {
      body: {
        blocks: [
          {
            type: 'rich_text',
            elements: [
              {
                type: 'rich_text_section',
                elements: [
                  { type: 'text', text: 'Deploy ' },
                  { type: 'text', text: 'failed', style: { bold: true } },
                ],
              },
            ],
          },
        ],
      },
    },
    { words: ['Deploy failed'], bold: ['failed'] },
  ],
];

browserTest('messages of webhook senders render as intended', async () => {
  const seen: unknown[] = [];
  for (const [name, body] of CASES) {
    await post(body);
    seen.push([name, await renderedMessage()]);
    if (name.startsWith('an attachment')) await harness().takeScreenshots(page, 'incoming-attachment');
  }
  expect(seen).toMatchObject(
    CASES.map(([name, , expected]) => [name, 'words' in expected ? { ...PLAIN, ...expected } : expected]),
  );
});

browserTest('an issue title that looks like a link opens only the address of the sender', async () => {
  await post(CASES.find(([name]) => name.startsWith('a title of an issue'))![1]);
  const { links, words } = (await renderedMessage()) as { links: string[][]; words: string[] };
  expect(words.join(' ')).toContain('[Click](https://evil.example) **now** <@0198f3a2');
  expect(links.map(([text]) => text)).not.toContain('Click');
});

browserTest('no message renders much more than 2,000 nodes', async () => {
  const table = `${'|a'.repeat(300)}\n${'|-'.repeat(300)}\n${'|\n'.repeat(1300)}`;
  const fields = Array.from({ length: 900 }, (_none, n) => ({ title: `t${n}`, value: `*v${n}*` }));
  for (const body of [
    { body: { text: table } },
    { body: { attachments: [{ fields }] } },
    {
      body: {
        blocks: Array.from({ length: 14 }, () => ({
          type: 'section',
          text: { type: 'mrkdwn', text: table.slice(0, 3000) },
        })),
      },
    },
  ]) {
    await post(body);
    const nodes = await page
      .getByRole('article')
      .first()
      .evaluate((article: any) => article.querySelectorAll('*').length);
    expect(nodes).toBeLessThan(2500);
  }
});
