import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { startIncomingRig } from '../../testing/incoming-rig.js';
import type { IncomingRig, MadeWebhook } from '../../testing/incoming-rig.js';

const document = readFileSync(new URL('../../../../../docs/senders.md', import.meta.url), 'utf8');
const snippets = [...document.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, code]) => code as string);
const posting = snippets.filter((code) => code.includes('"$WEBHOOK_URL"'));

let rig: IncomingRig;

beforeAll(async () => {
  rig = await startIncomingRig();
});
afterAll(() => rig?.close());

/** Runs a published snippet as a shell would, and returns what it prints. */
async function run(code: string, variables: Record<string, string>): Promise<string> {
  const settings = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  return (await promisify(execFile)('env', [...settings, 'sh', '-eu', '-c', code])).stdout;
}

function settings(
  { token, secret }: MadeWebhook,
  path = `/api/v1/webhooks/incoming/${token}`,
): Record<string, string> {
  return { WEBHOOK_URL: `${rig.api.url}${path}`, SIGNING_SECRET: secret };
}

test('the snippet that makes a webhook', async () => {
  const [code = ''] = snippets.filter((candidate) => candidate.includes('/admin/incoming_webhooks'));
  const printed = await run(code, {
    BASE_URL: rig.api.url,
    ADMIN_TOKEN: rig.admin.token,
    CHANNEL_ID: await rig.channel(),
  });
  expect(JSON.parse(printed)).toMatchObject({
    ok: true,
    token: expect.any(String),
    url: expect.any(String),
    webhook: { require_signature: false },
  });
});

test('every snippet that posts is shown as it says', async () => {
  const webhook = await rig.webhook();
  for (const code of posting)
    expect(JSON.parse(await run(code, settings(webhook)))).toMatchObject({
      ok: true,
      message_id: expect.any(String),
    });
  expect((await rig.history(webhook)).map(({ text, display_name: name }) => [name, text])).toEqual([
    ['backup', '**Backup** of *db1* failed: [log](https://backup.example.com/7)'],
    ['Alerts', '**Backup** finished'],
    ['Alerts', 'Backup started'],
    ['Alerts', 'disk of \\*db1\\* is full\n'],
    ['Alerts', 'Backup of today is done'],
    ['Alerts', 'signed, natively'],
    ['Alerts', 'signed, compatibly'],
  ]);
});

test('the signed ones pass where a signature is required, and only with the right secret', async () => {
  const webhook = await rig.webhook({ require_signature: true });
  const signed = posting.filter((code) => code.includes('$SIGNING_SECRET'));
  expect(signed).toHaveLength(2);
  for (const code of signed) {
    await run(code, settings(webhook));
    await expect(run(code, { ...settings(webhook), SIGNING_SECRET: 'whsec_wrong' })).rejects.toThrow('401');
  }
  expect((await rig.history(webhook)).map(({ text }) => text)).toEqual([
    'signed, natively',
    'signed, compatibly',
  ]);
});

test('the other addresses answer ok', async () => {
  const webhook = await rig.webhook();
  const [code = ''] = posting;
  const answers = [
    await run(code, settings(webhook, `/services/T/B/${webhook.token}`)),
    await run(code, settings(webhook, `/hooks/${webhook.token}`)),
  ];
  expect(answers).toEqual(['ok', 'ok']);
});
