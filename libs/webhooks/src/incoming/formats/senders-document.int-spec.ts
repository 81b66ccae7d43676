import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { startIncomingHarness } from '../../testing/incoming-harness.js';
import type { IncomingHarness, TestWebhook } from '../../testing/incoming-harness.js';

const document = readFileSync(new URL('../../../../../docs/senders.md', import.meta.url), 'utf8');
const snippets = [...document.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, code]) => code as string);
const posting = snippets.filter((code) => code.includes('"$WEBHOOK_URL"'));

let harness: IncomingHarness;

beforeAll(async () => {
  harness = await startIncomingHarness();
});
afterAll(() => harness?.close());

/** Runs a snippet from the docs in a shell and returns its output. */
async function run(code: string, variables: Record<string, string>): Promise<string> {
  const settings = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  return (await promisify(execFile)('env', [...settings, 'sh', '-eu', '-c', code])).stdout;
}

function settings(
  { token, secret }: TestWebhook,
  path = `/api/v1/webhooks/incoming/${token}`,
): Record<string, string> {
  return { WEBHOOK_URL: `${harness.api.url}${path}`, SIGNING_SECRET: secret };
}

test('the snippet that creates a webhook works', async () => {
  const [code = ''] = snippets.filter((candidate) => candidate.includes('/admin/incoming_webhooks'));
  const printed = await run(code, {
    BASE_URL: harness.api.url,
    ADMIN_TOKEN: harness.admin.token,
    CHANNEL_ID: await harness.channel(),
  });
  expect(JSON.parse(printed)).toMatchObject({
    ok: true,
    token: expect.any(String),
    url: expect.any(String),
    webhook: { require_signature: false },
  });
});

test('every posting snippet shows the documented message', async () => {
  const webhook = await harness.webhook();
  for (const code of posting)
    expect(JSON.parse(await run(code, settings(webhook)))).toMatchObject({
      ok: true,
      message_id: expect.any(String),
    });
  expect((await harness.history(webhook)).map(({ text, display_name: name }) => [name, text])).toEqual([
    ['backup', '**Backup** of *db1* failed: [log](https://backup.example.com/7)'],
    ['Alerts', '**Backup** finished'],
    ['Alerts', 'Backup started'],
    ['Alerts', 'disk of \\*db1\\* is full\n'],
    ['Alerts', 'Backup of today is done'],
    ['Alerts', 'signed, natively'],
    ['Alerts', 'signed, compatibly'],
  ]);
});

test('signed snippets are accepted when a signature is required, and only with the right secret', async () => {
  const webhook = await harness.webhook({ require_signature: true });
  const signed = posting.filter((code) => code.includes('$SIGNING_SECRET'));
  expect(signed).toHaveLength(2);
  for (const code of signed) {
    await run(code, settings(webhook));
    await expect(run(code, { ...settings(webhook), SIGNING_SECRET: 'whsec_wrong' })).rejects.toThrow('401');
  }
  expect((await harness.history(webhook)).map(({ text }) => text)).toEqual([
    'signed, natively',
    'signed, compatibly',
  ]);
});

test('the compatible addresses answer ok', async () => {
  const webhook = await harness.webhook();
  const [code = ''] = posting;
  const answers = [
    await run(code, settings(webhook, `/services/T/B/${webhook.token}`)),
    await run(code, settings(webhook, `/hooks/${webhook.token}`)),
  ];
  expect(answers).toEqual(['ok', 'ok']);
});
