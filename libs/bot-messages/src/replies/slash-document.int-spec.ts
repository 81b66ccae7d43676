import { BOTS_WORKER } from '@tieline/bots/testing';
import type { SeededBot } from '@tieline/bots/testing';
import { FilesWorkerModule } from '@tieline/files';
import { InteractiveWorkerModule } from '@tieline/interactive';
import { eventually, freePort, PublishedProgram } from '@tieline/testing';
import { SlashWorkerModule } from '@tieline/slash';
import { SlashHarness } from '@tieline/slash/testing';
import { BotMessagesModule } from '../bot-messages.module.js';

let rig: SlashHarness;
let channel: string;
let program: PublishedProgram | undefined;
beforeAll(async () => {
  const worker = [...BOTS_WORKER, FilesWorkerModule, InteractiveWorkerModule, SlashWorkerModule];
  // The published bot is another program, which a busy machine may delay.
  rig = await SlashHarness.start({ CALLBACK_TIMEOUT_MS: '30000' }, [...worker, BotMessagesModule]);
});
beforeEach(async () => {
  channel = await rig.channel();
});
afterEach(() => program?.close());
afterAll(() => rig?.close());

/** Starts a bot of the page: block 0 needs the SDK, block 1 has a callback URL, block 2 polls. */
async function run(nth: 1 | 2, bot: SeededBot, env: Record<string, string> = {}): Promise<void> {
  program = await PublishedProgram.of('docs/slash-commands.md', 'js', nth);
  await program.start({ BASE_URL: rig.api.url, TIELINE_TOKEN: bot.token, ...env });
}

const texts = async (): Promise<string[]> => (await rig.messages(channel)).map(({ text }) => text);

test('the published callback bot answers immediately or later, and refuses unsigned requests', async () => {
  const [port, bot] = [await freePort(), await rig.fixture.bot()];
  const url = `http://127.0.0.1:${port}/slash`;
  const command = await rig.command({ bot, callback_url: url });
  await run(1, bot, { SIGNING_SECRET: command.secret, PORT: String(port) });
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

test('the published polling bot answers each command once, also after a restart', async () => {
  const polled = await rig.polledCommand();
  await run(2, polled.bot);
  for (const text of ['api v1', 'web v2'])
    expect((await rig.invoke(channel, `/${polled.name} ${text}`)).body.result).toBe('ack');
  await eventually(async () => expect(await texts()).toEqual(['Deployed **api v1**', 'Deployed **web v2**']));
  program?.close();
  await run(2, polled.bot);
  await rig.invoke(channel, `/${polled.name}`);
  await eventually(async () =>
    expect(await texts()).toEqual([
      'Deployed **api v1**',
      'Deployed **web v2**',
      `Usage: /${polled.name} <service> [version]`,
    ]),
  );
});
