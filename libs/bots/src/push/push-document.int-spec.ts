import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { signDottedV1 } from '@tieline/platform/signing';
import { eventually, freePort } from '@tieline/testing';
import { v7 as uuidv7 } from 'uuid';
import { EventsRig } from '../testing/events-rig.js';

const document = readFileSync(new URL('../../../../docs/push.md', import.meta.url), 'utf8');

function block(language: string): string {
  const match = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(document);
  if (!match?.[1]) throw new Error(`docs/push.md has no ${language} block`);
  return match[1];
}

// A machine without Python has no use for a Python receiver; Node.js is there.
const RECEIVERS = [
  { language: 'js', command: process.execPath, file: 'receiver.mjs' },
  ...(spawnSync('python3', ['--version']).status === 0
    ? [{ language: 'python', command: 'python3', file: 'receiver.py' }]
    : []),
];

let rig: EventsRig;
const folder = mkdtempSync(path.join(tmpdir(), 'tieline-push-receivers-'));
beforeAll(async () => {
  rig = await EventsRig.start();
});
afterAll(async () => {
  await rig?.close();
  rmSync(folder, { recursive: true });
});

describe.each(RECEIVERS)('the published receiver in $language', ({ language, command, file }) => {
  let child: ChildProcess;
  let output = '';
  let bot: Awaited<ReturnType<EventsRig['bot']>>;
  let url: string;

  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}/events`;
    bot = await rig.bot({ event_delivery_mode: 'webhook', webhook_url: url });
    writeFileSync(path.join(folder, file), block(language));
    child = spawn('env', [`WEBHOOK_SECRET=${bot.secret}`, `PORT=${port}`, command, path.join(folder, file)]);
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await eventually(() => output.includes('listening'));
  });
  afterAll(async () => {
    await rig.change(bot, { event_delivery_mode: 'none' });
    child.kill('SIGKILL');
  });

  /** Sends a request that is signed as the changes leave it. @returns the status */
  async function send({
    age = 0,
    body = '{"event_type":"MADE_UP","event_id":"1"}',
    key = bot.secret,
    tampered = '',
  } = {}): Promise<number> {
    const timestamp = Math.floor(Date.now() / 1000) - age;
    const headers = {
      'X-Service-Timestamp': String(timestamp),
      'X-Service-Signature': signDottedV1(key, timestamp, Buffer.from(body)),
    };
    return (await fetch(url, { method: 'POST', headers, body: body + tampered })).status;
  }

  test('takes real pushes', async () => {
    const { eventId } = await rig.post(await rig.channel(), 'to the published receiver ✓');
    await rig.sent(bot);
    expect(await rig.deliveries(bot)).toMatchObject([{ status: 'success', attempts: 1, event_id: eventId }]);
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

  test('deals with an event once, however often it comes', async () => {
    const body = JSON.stringify({ event_type: 'REPEATED', event_id: uuidv7() });
    expect([await send({ body }), await send({ body, age: 100 })]).toEqual([200, 200]);
    await eventually(() => output.includes('REPEATED'));
    expect(output.split('REPEATED')).toHaveLength(2);
  });

  test('answers 503 to what it could not deal with', async () => {
    expect(await send({ body: 'no JSON' })).toBe(503);
  });
});
