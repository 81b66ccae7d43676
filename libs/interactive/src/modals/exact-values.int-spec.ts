import { InteractiveHarness } from '../testing/index.js';

const VALUES =
  '{"id":9007199254740993,"list":[1,2.50,-0,1e400],"text":"9007199254740993","more":{"isLosslessNumber":true,"n":12345678901234567890}}';

let harness: InteractiveHarness;
beforeAll(async () => {
  harness = await InteractiveHarness.start();
});
afterAll(() => harness?.close());

/** Submits the values as this exact text. */
async function submit(modalToken: string, values: string): Promise<number> {
  const response = await fetch(`${harness.api.url}/api/v1/client/modals/${modalToken}/submit`, {
    method: 'POST',
    body: `{"values":${values}}`,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${harness.person.token}` },
  });
  return response.status;
}
const asked = (): string => harness.receiver.requests.at(-1)!.body.toString();

test('a callback receives numbers that JavaScript would change exactly as they were sent', async () => {
  const { id } = await harness.message(await harness.calledBack());
  const token = await harness.forms.opened(id, { title: 'Why?' });
  expect(await submit(token, VALUES)).toBe(200);
  expect(asked()).toContain(`"values":${VALUES},`);
});

test('so does a polling bot', async () => {
  const bot = await harness.calledBack();
  const token = await harness.forms.opened((await harness.message(bot)).id, { title: 'Why?' });
  await harness.api.db.query(`UPDATE bots SET event_delivery_mode = 'poll' WHERE id = $1`, [bot.id]);
  expect(await submit(token, VALUES)).toBe(200);
  const events = (await harness.fixture.chat.events()).filter(({ type }) => type === 'bot.direct_event');
  const { payload_json: json } = events.at(-1)!.payload as { payload_json: string };
  expect(json).toContain(`"values":${VALUES},`);
});

test('a lone surrogate next to such a number is still replaced', async () => {
  const { id } = await harness.message(await harness.calledBack());
  const token = await harness.forms.opened(id, { title: 'Why?' });
  expect(await submit(token, String.raw`{"n":1.0,"s":"\ud800"}`)).toBe(200);
  expect(asked()).toContain('"values":{"n":1.0,"s":"\ufffd"}');
});
