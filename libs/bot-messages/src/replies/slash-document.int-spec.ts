import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BotsWorkerModule } from '@tieline/bots';
import type { SeededBot } from '@tieline/bots/testing';
import { FilesWorkerModule } from '@tieline/files';
import { InteractiveWorkerModule } from '@tieline/interactive';
import { BusModule } from '@tieline/live';
import { DeliveryWorkerModule, OutboxModule } from '@tieline/delivery';
import { QueueModule, QueueWorkerModule } from '@tieline/queue';
import { StorageModule, StorageWorkerModule } from '@tieline/storage';
import { eventually, freePort } from '@tieline/testing';
import { SlashWorkerModule } from '@tieline/slash';
import { SlashRig } from '@tieline/slash/testing';
import { BotMessagesModule } from '../bot-messages.module.js';

const document = readFileSync(new URL('../../../../docs/slash-commands.md', import.meta.url), 'utf8');
const [calledBack, polling] = [...document.matchAll(/```js\n([\s\S]*?)```/g)].map(
  ([, code]) => code as string,
);

const folder = mkdtempSync(path.join(tmpdir(), 'tieline-slash-'));
let rig: SlashRig;
let channel: string;
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
    FilesWorkerModule,
    InteractiveWorkerModule,
    SlashWorkerModule,
  ];
  rig = await SlashRig.start({ CALLBACK_TIMEOUT_MS: '3000', DATA_DIR: folder }, [
    ...worker,
    BotMessagesModule,
  ]);
});
beforeEach(async () => {
  channel = await rig.channel();
});
afterEach(() => child?.kill('SIGKILL'));
afterAll(async () => {
  await rig?.close();
  rmSync(folder, { recursive: true });
});

/** Starts a published bot and waits until it says that it runs. */
async function run(
  code: string | undefined,
  bot: SeededBot,
  env: Record<string, string> = {},
): Promise<void> {
  if (code === undefined) throw new Error('docs/slash-commands.md lacks a bot');
  const file = path.join(folder, 'bot.mjs');
  writeFileSync(file, code);
  const settings = Object.entries({ BASE_URL: rig.api.url, BOT_TOKEN: bot.token, ...env }).map(
    ([name, value]) => `${name}=${value}`,
  );
  child = spawn('env', [...settings, process.execPath, file]);
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await eventually(() => /listening|reading/.test(output));
}

const texts = async (): Promise<string[]> => (await rig.messages(channel)).map(({ text }) => text);

test('the published bot that is called back answers at once or later, and refuses what is not signed', async () => {
  const [port, bot] = [await freePort(), await rig.fixture.bot()];
  const url = `http://127.0.0.1:${port}/slash`;
  const command = await rig.command({ bot, callback_url: url });
  await run(calledBack, bot, { SIGNING_SECRET: command.secret, PORT: String(port) });
  expect((await rig.invoke(channel, `/${command.name}`)).body).toMatchObject({
    result: 'ephemeral',
    text: `Usage: /${command.name} <service> [version]`,
  });
  expect((await rig.invoke(channel, `/${command.name} api v1`)).body.result).toBe('ack');
  await eventually(async () => expect(await texts()).toEqual(['Deployed **api v1**']));
  const now = String(Math.floor(Date.now() / 1000));
  const forged: Record<string, string>[] = [
    {},
    { 'x-service-timestamp': now, 'x-service-signature': `sha256=${'0'.repeat(64)}` },
  ];
  for (const headers of forged) {
    expect(
      (await fetch(url, { method: 'POST', body: '{"trigger_id":"1","text":"x"}', headers })).status,
    ).toBe(401);
  }
});

test('the published bot that polls answers what it finds, each once, also after a restart', async () => {
  const polled = await rig.polledCommand();
  await run(polling, polled.bot);
  for (const text of ['api v1', 'web v2'])
    expect((await rig.invoke(channel, `/${polled.name} ${text}`)).body.result).toBe('ack');
  await eventually(async () => expect(await texts()).toEqual(['Deployed **api v1**', 'Deployed **web v2**']));
  child?.kill('SIGKILL');
  await run(polling, polled.bot);
  await rig.invoke(channel, `/${polled.name}`);
  await eventually(async () =>
    expect(await texts()).toEqual([
      'Deployed **api v1**',
      'Deployed **web v2**',
      `Usage: /${polled.name} <service> [version]`,
    ]),
  );
});
