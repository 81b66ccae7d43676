import { readFileSync } from 'node:fs';
import { BOTS_WORKER } from '@tieline/bots/testing';
import type { SeededBot } from '@tieline/bots/testing';
import { ClientStreamModule } from '@tieline/live-stream';
import { eventually, EventStreamClient, freePort, PublishedProgram } from '@tieline/testing';
import { InteractiveWorkerModule } from '../interactive-worker.module.js';
import { InteractiveHarness } from '../testing/index.js';

let harness: InteractiveHarness;
let program: PublishedProgram | undefined;
beforeAll(async () => {
  const worker = [...BOTS_WORKER, InteractiveWorkerModule];
  harness = await InteractiveHarness.start({}, [...worker, ClientStreamModule]);
});
afterEach(() => program?.close());
afterAll(() => harness?.close());

/** Starts a bot of the page: block 0 needs the SDK, block 1 has a callback URL, block 2 polls. */
async function run(nth: 1 | 2, env: Record<string, string>): Promise<void> {
  program = await PublishedProgram.of('docs/interactive.md', 'js', nth);
  await program.start(env);
}

const deployed = () => ({ text: `Deployed by <@${harness.person.id}>: Hotfix`, metadata_json: null });

test('the documented callback bot opens a form, handles it and refuses unsigned requests', async () => {
  const [port, bot] = [await freePort(), await harness.fixture.bot()];
  const url = `http://127.0.0.1:${port}/`;
  const { body: configured } = await harness.api.call('PATCH', '/api/v1/bot/interactive_config', {
    token: bot.token,
    body: { callback_url: url },
  });
  await run(1, { SIGNING_SECRET: configured.signing_secret, PORT: String(port) });
  const message = await harness.message(bot);
  expect(
    (await harness.click(message.id, { action_id: 'stage', selected_value: 'live' })).body,
  ).toMatchObject({
    result: 'ephemeral',
    ephemeral_text: 'It will go to live.',
  });
  const { body } = await harness.click(message.id);
  expect(body).toMatchObject({ result: 'open_modal', modal: { submit_label: 'Deploy' } });
  expect((await harness.submit(body.modal_token, { reason: 'Hotfix' })).body).toEqual({
    ok: true,
    result: 'update_message',
    message_id: message.id,
  });
  expect(await harness.stored(message.id)).toMatchObject(deployed());
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

test('the documented polling bot opens a form and handles it', async () => {
  const bot: SeededBot = await harness.polling();
  await run(2, { BASE_URL: harness.api.url, TIELINE_TOKEN: bot.token });
  const stream = await EventStreamClient.open(
    `${harness.api.url}/api/v1/client/stream`,
    harness.person.token,
  );
  const message = await harness.message(bot);
  const event = (name: string): any =>
    stream.events.find((one) => one.event === name && one.message_id === message.id);
  await harness.click(message.id, { action_id: 'stage', selected_value: 'live' });
  await stream.until(() => event('ephemeral') !== undefined);
  expect(event('ephemeral').text).toBe('It will go to live.');
  await harness.click(message.id);
  await stream.until(() => event('modal.open') !== undefined);
  await harness.submit(event('modal.open').modal_token, { reason: 'Hotfix' });
  await eventually(async () => expect(await harness.stored(message.id)).toMatchObject(deployed()));
  stream.close();
});

test('the documented form reaches the person unchanged, and the values reach the bot', async () => {
  const page = readFileSync(new URL('../../../../docs/modals.md', import.meta.url), 'utf8');
  const answer = JSON.parse(/```json\n(\{\n {2}"open_modal"[\s\S]*?)```/.exec(page)?.[1] ?? '{}');
  const values = JSON.parse(/brings the `values`, here `(\{.*?\})`/.exec(page)?.[1] ?? '{}');
  expect(Object.keys(values)).toEqual(answer.open_modal.fields.map(({ id }: { id: string }) => id));
  const bot = await harness.calledBack();
  harness.answers(answer);
  const { body } = await harness.click((await harness.message(bot)).id);
  expect(body.modal).toEqual(answer.open_modal);
  harness.answers({});
  await harness.submit(body.modal_token, values);
  expect(harness.asked.at(-1)).toMatchObject({ event_type: 'modal.submit', values });
});
