import { eventually, PublishedProgram } from '@tieline/testing';
import { EventsHarness } from '../testing/events-harness.js';

let harness: EventsHarness;
let client: PublishedProgram;
beforeAll(async () => {
  harness = await EventsHarness.start();
  client = await PublishedProgram.of('docs/socket.md', 'js');
});
afterAll(async () => {
  client?.close();
  await harness?.close();
});

test('the published client reads events and acknowledges them; after a restart it continues', async () => {
  const bot = await harness.bot();
  const channel = await harness.channel();
  for (const text of ['the first event', 'the second event']) {
    await client.start({ BASE_URL: harness.api.url, TIELINE_TOKEN: bot.token });
    await harness.post(channel, text);
    await eventually(() => client.output.includes(`MESSAGE_CREATED ${text}`));
    await eventually(async () => expect(await harness.queue(bot)).toEqual([]));
    client.kill();
  }
  expect(client.output.split('the first event')).toHaveLength(2);
});
