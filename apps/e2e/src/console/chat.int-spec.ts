import { browserTest, ConsoleRig, tabTo } from './browser.js';
import type { ConsoleSpace } from './browser.js';

const METADATA = JSON.stringify({
  version: 1,
  blocks: [
    { type: 'header', text: { type: 'plain_text', text: 'Build 4711 is ready' } },
    { type: 'section', text: { type: 'mrkdwn', text: 'All **214** tests passed in `main`.' } },
    { type: 'context', elements: [{ type: 'mrkdwn', text: 'by the build machine' }] },
    {
      type: 'actions',
      elements: [
        { type: 'button', action_id: 'deploy', text: 'Deploy', style: 'primary' },
        {
          type: 'select',
          action_id: 'stage',
          placeholder: 'Where to',
          options: [
            { value: 'test', label: 'Test' },
            { value: 'live', label: 'Production' },
          ],
        },
        { type: 'date_picker', action_id: 'day', placeholder: 'On which day' },
      ],
    },
  ],
});

const MODAL = {
  validate: true,
  title: 'Deploy',
  submit_label: 'Deploy now',
  fields: [
    { id: 'ticket', type: 'text', label: 'Ticket', required: true },
    { id: 'sure', type: 'checkbox', label: 'Everybody knows' },
  ],
};

let started: ConsoleRig | undefined;
let space: ConsoleSpace;
let channelId: string;
let botToken: string;

function rig(): ConsoleRig {
  if (!started) throw new Error('no browser');
  return started;
}

beforeAll(async () => {
  started = await ConsoleRig.start();
  if (!started) return;
  space = await started.space();
  const owner = space.ownerToken;
  const { conversation } = await started.made('POST', '/api/v1/client/conversations', owner, {
    name: 'deploys',
  });
  channelId = conversation.id;
  const { bot, token } = await started.made('POST', '/api/v1/admin/bots', owner, {
    username: 'deployer',
    display_name: 'Deployer',
  });
  botToken = token;
  await started.made('POST', `/api/v1/client/conversations/${channelId}/members`, owner, {
    member_id: bot.id,
  });
  await started.made('PATCH', '/api/v1/bot/me', botToken, { event_delivery_mode: 'poll' });
});

afterAll(() => started?.close());

/** Waits for the bot's next event of a type and answers it. */
async function answer(type: string, respond: object): Promise<Record<string, any>> {
  for (let cursor = ''; ;) {
    const { events } = await rig().made('GET', `/api/v1/bot/events?cursor=${cursor}&wait=10`, botToken);
    for (const { id, event_type: found, payload_json: payload } of events) {
      cursor = id;
      const event = JSON.parse(payload);
      if (found !== type || answered.has(event.interaction_id)) continue;
      answered.add(event.interaction_id);
      await rig().made('POST', `/api/v1/bot/interactions/${event.interaction_id}/respond`, botToken, respond);
      return event;
    }
  }
}
const answered = new Set<string>();

const say = (content: string, metadata?: string) =>
  rig().made('POST', '/api/v1/bot/messages', botToken, {
    conversation_id: channelId,
    content,
    ...(metadata && { metadata_json: metadata }),
  });

browserTest(
  'a button opens a form, whose wrong answer is refused and right one taken, and the late answer is seen',
  async () => {
    const page = await rig().signedIn(space.ownerToken, '/chat');
    await page.getByRole('link', { name: 'deploys' }).click();
    await page.getByText('Nothing was said here yet').waitFor();
    await say('Build 4711 is ready', METADATA);
    const button = page.getByRole('button', { name: 'Deploy', exact: true });
    await button.waitFor();
    expect(await rig().axeFaults(page)).toEqual([]);
    await rig().pictures(page, 'chat');

    await button.click();
    await answer('button.click', { open_modal: MODAL });
    const ticket = page.getByRole('textbox', { name: 'Ticket' });
    await ticket.fill('OPS-1');
    await page.getByRole('button', { name: 'Deploy now' }).click();
    await answer('modal.submit', { errors: { ticket: 'OPS-1 is closed already.' } });
    await page.getByText('OPS-1 is closed already.').waitFor();
    expect(await rig().axeFaults(page)).toEqual([]);
    await rig().pictures(page, 'chat-form');

    await ticket.fill('OPS-2');
    await page.getByRole('button', { name: 'Deploy now' }).click();
    const { values, response_url: late } = await answer('modal.submit', {
      ephemeral_text: 'On its way.',
    });
    expect(values.ticket).toBe('OPS-2');
    await page.getByText('On its way.').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await rig().made('POST', new URL(late).pathname, botToken, {
      update_message: { text: 'Deployed with **OPS-2**', metadata_json: '' },
    });
    await page.getByText('Deployed with OPS-2').waitFor();
    expect(await button.count()).toBe(0);
  },
);

browserTest(
  'by keyboard alone: a message, a poll that is voted in, a thread; what others say comes live',
  async () => {
    const owner = space.ownerToken;
    const page = await rig().signedIn(owner, `/chat/${channelId}`);
    await tabTo(page, 'Message to deploys');
    await page.keyboard.type('Is **4711** out?');
    await page.keyboard.press('Enter');
    await page.getByRole('article').getByText('Is 4711 out?').waitFor();

    await page.keyboard.type('/po');
    await page.getByRole('option', { name: /poll/ }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('"Where do we eat?" "Pizza" "Sushi"');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: '2. Sushi' }).waitFor();

    await say('Said elsewhere');
    await page.getByText('Said elsewhere').waitFor();
    expect(await rig().axeFaults(page)).toEqual([]);
    await rig().pictures(page, 'chat-poll');

    await page.getByRole('log').focus();
    await tabTo(page, '2. Sushi');
    await page.keyboard.press('Enter');
    await page.getByText('1 vote (100%)').waitFor();

    await tabTo(page, 'Reply in thread');
    await page.keyboard.press('Enter');
    await page.getByText('No replies yet').waitFor();
    await tabTo(page, 'Reply');
    await page.keyboard.type('Sushi it is');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Thread' }).getByText('Sushi it is').waitFor();
    expect(await rig().axeFaults(page)).toEqual([]);
    await rig().pictures(page, 'chat-thread');
  },
);

browserTest('a long history is read page by page, and only what is in sight is drawn', async () => {
  const owner = space.ownerToken;
  const { conversation } = await rig().made('POST', '/api/v1/client/conversations', owner, { name: 'long' });
  for (let line = 1; line <= 120; line += 1)
    await rig().made('POST', `/api/v1/client/conversations/${conversation.id}/messages`, owner, {
      text: `line ${line}.`,
    });
  const page = await rig().signedIn(owner, `/chat/${conversation.id}`);
  const log = page.getByRole('log');
  await log.getByText('line 120.').waitFor();
  await expect(log.getByText('line 1.', { exact: true }).count()).resolves.toBe(0);
  await log.focus();
  for (let presses = 0; presses < 600; presses += 1) {
    if (await log.getByText('This is the beginning.').isVisible()) break;
    await page.keyboard.press('Home');
    await page.evaluate(() => new Promise((drawn) => (globalThis as any).requestAnimationFrame(drawn)));
  }
  await log.getByText('line 1.', { exact: true }).waitFor();
  expect(await log.getByRole('article').count()).toBeLessThan(60);

  await page.getByRole('button', { name: 'To the newest' }).click();
  await log.getByText('line 120.').waitFor();
  await page.goto(`/chat/${conversation.id}?at=30`);
  await log.getByText('line 30.').waitFor();
});
