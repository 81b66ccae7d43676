import { eventually } from '@tieline/testing';
import { withinOneWindow } from '@tieline/rate-limit/testing';
import { SlashHarness } from '@tieline/slash/testing';
import { BotMessagesModule } from '../bot-messages.module.js';

let rig: SlashHarness;
beforeAll(async () => {
  rig = await SlashHarness.start({ RATE_BOT_WRITES_PER_SECOND: '3' }, [BotMessagesModule]);
});
afterAll(() => rig?.close());

test('a reply refused by the rate does not consume its trigger', async () => {
  const channel = await rig.channel();
  const { bot, triggers, answers } = await withinOneWindow(rig.api, async () => {
    const command = await rig.command();
    const given = [];
    for (let n = 0; n < 6; n += 1)
      given.push((await rig.invoke(channel, `/${command.name}`)).body.trigger_id as string);
    const sent = await Promise.all(given.map((id) => reply(command.bot.token, id)));
    return { bot: command.bot, triggers: given, answers: sent };
  });
  const refused = triggers.filter((_, n) => answers[n]?.status === 429);
  // One of the three writes was the registration.
  expect(refused).toHaveLength(4);
  for (const id of refused)
    // The window may have been stretched.
    await eventually(async () => expect((await reply(bot.token, id)).status).toBe(200), {
      timeoutMs: 70_000,
    });
});

function reply(token: string, id: string) {
  return rig.api.call('POST', '/api/v1/bot/messages', {
    token,
    body: { content: 'done' },
    headers: { 'x-service-trigger-id': id },
  });
}
