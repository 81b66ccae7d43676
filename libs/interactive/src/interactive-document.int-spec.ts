import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BotsWorkerModule } from '@tieline/bots';
import type { SeededBot } from '@tieline/bots/testing';
import { ClientStreamModule } from '@tieline/conversations';
import { BusModule } from '@tieline/live';
import { DeliveryWorkerModule, OutboxModule } from '@tieline/delivery';
import { QueueModule, QueueWorkerModule } from '@tieline/queue';
import { StorageModule, StorageWorkerModule } from '@tieline/storage';
import { eventually, EventStreamClient, freePort } from '@tieline/testing';
import { InteractiveWorkerModule } from './interactive-worker.module.js';
import { InteractiveRig } from './testing/index.js';

const document = readFileSync(new URL('../../../docs/interactive.md', import.meta.url), 'utf8');
const [calledBack, polling] = [...document.matchAll(/```js\n([\s\S]*?)```/g)].map(
  ([, code]) => code as string,
);

const folder = mkdtempSync(path.join(tmpdir(), 'tieline-interactive-'));
let rig: InteractiveRig;
let child: ChildProcess | undefined;
beforeAll(async () => {
  const worker = [
    BusModule,
    QueueModule,
    StorageModule,
    OutboxModule,
    QueueWorkerModule,
    StorageWorkerModule,
    DeliveryWorkerModule,
    BotsWorkerModule,
    InteractiveWorkerModule,
  ];
  rig = await InteractiveRig.start({ CALLBACK_TIMEOUT_MS: '3000', DATA_DIR: folder }, [
    ...worker,
    ClientStreamModule,
  ]);
});
afterEach(() => child?.kill('SIGKILL'));
afterAll(async () => {
  await rig?.close();
  rmSync(folder, { recursive: true });
});

/** Starts a published bot and waits until it says that it runs. */
async function run(code: string | undefined, env: Record<string, string>): Promise<void> {
  if (code === undefined) throw new Error('docs/interactive.md lacks a bot');
  const file = path.join(folder, 'bot.mjs');
  writeFileSync(file, code);
  const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  child = spawn('env', [...settings, process.execPath, file]);
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await eventually(() => /listening|reading/.test(output));
}

const deployed = () => ({ text: `Deployed by <@${rig.person.id}>: Hotfix`, metadata_json: null });

test('the published bot that is called back opens a form, takes it, and refuses what is not signed', async () => {
  const [port, bot] = [await freePort(), await rig.fixture.bot()];
  const url = `http://127.0.0.1:${port}/`;
  const { body: configured } = await rig.api.call('PATCH', '/api/v1/bot/interactive_config', {
    token: bot.token,
    body: { callback_url: url },
  });
  await run(calledBack, { SIGNING_SECRET: configured.signing_secret, PORT: String(port) });
  const message = await rig.message(bot);
  expect((await rig.click(message.id, { action_id: 'stage', selected_value: 'live' })).body).toMatchObject({
    result: 'ephemeral',
    ephemeral_text: 'It will go to live.',
  });
  const { body } = await rig.click(message.id);
  expect(body).toMatchObject({ result: 'open_modal', modal: { submit_label: 'Deploy' } });
  expect((await rig.submit(body.modal_token, { reason: 'Hotfix' })).body).toEqual({
    ok: true,
    result: 'update_message',
    message_id: message.id,
  });
  expect(await rig.stored(message.id)).toMatchObject(deployed());
  const now = String(Math.floor(Date.now() / 1000));
  const forged: Record<string, string>[] = [
    {},
    { 'x-service-timestamp': now, 'x-service-signature': `sha256=${'0'.repeat(64)}` },
  ];
  for (const headers of forged)
    expect(
      (await fetch(url, { method: 'POST', body: '{"event_type":"button.click"}', headers })).status,
    ).toBe(401);
});

test('the published bot that polls opens a form and takes it', async () => {
  const bot: SeededBot = await rig.polling();
  await run(polling, { BASE_URL: rig.api.url, BOT_TOKEN: bot.token });
  const stream = await EventStreamClient.open(`${rig.api.url}/api/v1/client/stream`, rig.person.token);
  const message = await rig.message(bot);
  const event = (name: string): any =>
    stream.events.find((one) => one.event === name && one.message_id === message.id);
  await rig.click(message.id, { action_id: 'stage', selected_value: 'live' });
  await stream.until(() => event('ephemeral') !== undefined);
  expect(event('ephemeral').text).toBe('It will go to live.');
  await rig.click(message.id);
  await stream.until(() => event('modal.open') !== undefined);
  await rig.submit(event('modal.open').modal_token, { reason: 'Hotfix' });
  await eventually(async () => expect(await rig.stored(message.id)).toMatchObject(deployed()));
  stream.close();
});
