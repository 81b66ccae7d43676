import { InteractiveRig } from '../testing/index.js';

const VALUES =
  '{"id":9007199254740993,"list":[1,2.50,-0,1e400],"text":"9007199254740993","more":{"isLosslessNumber":true,"n":12345678901234567890}}';

let rig: InteractiveRig;
beforeAll(async () => {
  rig = await InteractiveRig.start();
});
afterAll(() => rig?.close());

/** Submits values as this text. */
async function submit(modalToken: string, values: string): Promise<number> {
  const response = await fetch(`${rig.api.url}/api/v1/client/modals/${modalToken}/submit`, {
    method: 'POST',
    body: `{"values":${values}}`,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${rig.person.token}` },
  });
  return response.status;
}
const asked = (): string => rig.receiver.requests.at(-1)!.body.toString();

test('numbers that JavaScript would write otherwise reach a bot that is called back as they were sent', async () => {
  const { id } = await rig.message(await rig.calledBack());
  const token = await rig.forms.opened(id, { title: 'Why?' });
  expect(await submit(token, VALUES)).toBe(200);
  expect(asked()).toContain(`"values":${VALUES},`);
});

test('and one that polls', async () => {
  const bot = await rig.calledBack();
  const token = await rig.forms.opened((await rig.message(bot)).id, { title: 'Why?' });
  await rig.api.db.query(`UPDATE bots SET event_delivery_mode = 'poll' WHERE id = $1`, [bot.id]);
  expect(await submit(token, VALUES)).toBe(200);
  const events = (await rig.fixture.chat.events()).filter(({ type }) => type === 'bot.direct_event');
  const { payload_json: json } = events.at(-1)!.payload as { payload_json: string };
  expect(json).toContain(`"values":${VALUES},`);
});

test('a lone surrogate beside such a number is still replaced', async () => {
  const { id } = await rig.message(await rig.calledBack());
  const token = await rig.forms.opened(id, { title: 'Why?' });
  expect(await submit(token, String.raw`{"n":1.0,"s":"\ud800"}`)).toBe(200);
  expect(asked()).toContain('"values":{"n":1.0,"s":"\ufffd"}');
});
