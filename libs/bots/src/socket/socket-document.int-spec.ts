import { eventually, PublishedProgram } from '@tieline/testing';
import { EventsRig } from '../testing/events-rig.js';

let rig: EventsRig;
let client: PublishedProgram;
beforeAll(async () => {
  rig = await EventsRig.start();
  client = await PublishedProgram.of('docs/socket.md', 'js');
});
afterAll(async () => {
  client?.close();
  await rig?.close();
});

test('the published client reads events and acknowledges them; killed and started again it reads on', async () => {
  const bot = await rig.bot();
  const channel = await rig.channel();
  for (const text of ['the first event', 'the second event']) {
    await client.start({ BASE_URL: rig.api.url, TIELINE_TOKEN: bot.token });
    await rig.post(channel, text);
    await eventually(() => client.output.includes(`MESSAGE_CREATED ${text}`));
    await eventually(async () => expect(await rig.queue(bot)).toEqual([]));
    client.kill();
  }
  expect(client.output.split('the first event')).toHaveLength(2);
});
