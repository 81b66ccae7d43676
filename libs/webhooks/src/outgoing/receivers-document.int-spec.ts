import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { signStandardWebhook } from '@tieline/platform/signing';
import { eventually, freePort } from '@tieline/testing';
import { startRig } from './testing/outgoing-rig.js';
import type { Rig } from './testing/outgoing-rig.js';

const document = readFileSync(new URL('../../../../docs/outgoing-webhooks.md', import.meta.url), 'utf8');

function block(language: string): string {
  const match = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(document);
  if (!match?.[1]) throw new Error(`docs/outgoing-webhooks.md has no ${language} block`);
  return match[1];
}

interface PublishedReceiver {
  language: string;
  command: string;
  file: string;
}

// A machine without Python has no use for a Python receiver; Node.js is there.
const RECEIVERS: PublishedReceiver[] = [
  { language: 'js', command: process.execPath, file: 'receiver.mjs' },
  ...(spawnSync('python3', ['--version']).status === 0
    ? [{ language: 'python', command: 'python3', file: 'receiver.py' }]
    : []),
];

let rig: Rig;
const folder = mkdtempSync(path.join(tmpdir(), 'tieline-receivers-'));
beforeAll(async () => {
  rig = await startRig();
});
afterAll(async () => {
  await rig?.close();
  rmSync(folder, { recursive: true });
});

describe.each(RECEIVERS)('the published receiver in $language', ({ language, command, file }) => {
  let child: ChildProcess;
  let output = '';
  let secret: string;
  let id: string;
  let url: string;

  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}/hook`;
    const { body } = await rig.call('POST', '/outgoing_webhooks', {
      name: language,
      url,
      event_types: ['MESSAGE_CREATED'],
    });
    ({
      signing_secret: secret,
      subscription: { id },
    } = body);
    writeFileSync(path.join(folder, file), block(language));
    child = spawn('env', [`WEBHOOK_SECRET=${secret}`, `PORT=${port}`, command, path.join(folder, file)]);
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await eventually(() => output.includes('listening'));
  });
  afterAll(async () => {
    await rig.call('DELETE', `/outgoing_webhooks/${id}`);
    child.kill('SIGKILL');
  });

  /** Sends a request that is signed as the changes leave it. @returns the status */
  async function send({
    deliveryId = uuidv7(),
    age = 0,
    body = '{"event_type":"MADE_UP","event_id":"1"}',
    key = secret,
    tampered = '',
  } = {}): Promise<number> {
    const timestamp = Math.floor(Date.now() / 1000) - age;
    const signature = signStandardWebhook(key, deliveryId, timestamp, Buffer.from(body));
    const headers = {
      'webhook-id': deliveryId,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signature,
    };
    return (await fetch(url, { method: 'POST', headers, body: body + tampered })).status;
  }

  test('takes real deliveries', async () => {
    const channel = await rig.channel();
    const { eventId } = await rig.post(channel, 'to the published receiver ✓');
    await rig.sent(id);
    expect(await rig.deliveries(id)).toMatchObject([{ status: 'success', attempts: 1, event_id: eventId }]);
    await eventually(() => output.includes(`MESSAGE_CREATED ${eventId}`));
  });

  test('refuses what is forged, altered or too old', async () => {
    const other = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
    expect([
      await send({ key: other }),
      await send({ tampered: ' ' }),
      await send({ age: 400 }),
      await send({ age: -400 }),
    ]).toEqual([401, 401, 401, 401]);
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
    expect(output).not.toContain('MADE_UP');
  });

  test('deals with a repeat once', async () => {
    const deliveryId = uuidv7();
    const body = JSON.stringify({ event_type: 'REPEATED', event_id: deliveryId });
    expect([await send({ deliveryId, body }), await send({ deliveryId, body, age: 100 })]).toEqual([
      200, 200,
    ]);
    await eventually(() => output.includes(`REPEATED ${deliveryId}`));
    expect(output.split('REPEATED')).toHaveLength(2);
  });

  test('answers 503 to what it could not deal with, and takes it the next time', async () => {
    const deliveryId = uuidv7();
    expect(await send({ deliveryId, body: 'no JSON' })).toBe(503);
    expect(await send({ deliveryId, body: '{"event_type":"AT_LAST","event_id":"2"}' })).toBe(200);
    await eventually(() => output.includes('AT_LAST 2'));
  });
});
