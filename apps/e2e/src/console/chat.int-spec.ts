import { eventually } from '@tieline/testing';
import type { Locator, Page, Route } from 'playwright-core';
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
let botId: string;

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
  botId = bot.id;
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
    await page.getByText('No messages yet').waitFor();
    await say('Build 4711 is ready', METADATA);
    const button = page.getByRole('button', { name: 'Deploy', exact: true });
    await button.waitFor();
    expect(await rig().axeFaults(page)).toEqual([]);
    await rig().pictures(page, 'chat');

    await button.click();
    await answer('button.click', { open_modal: MODAL });
    const ticket = page.getByRole('textbox', { name: 'Ticket' });
    await page.getByRole('button', { name: 'Deploy now' }).click();
    await page.getByText('This field is required.').waitFor();
    await ticket.fill('OPS-1');
    await page.getByRole('button', { name: 'Deploy now' }).click();
    await answer('modal.submit', { errors: { ticket: 'OPS-1 is closed already.' } });
    await page.getByText('OPS-1 is closed already.').waitFor();
    // Of a long form the field that is wrong may be out of sight: it is led to.
    await eventually(async () =>
      expect(await ticket.evaluate((field: any) => field === field.ownerDocument.activeElement)).toBe(true),
    );
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
  'answers that come by stream before the response to the click or the submission are not lost',
  async () => {
    const page = await rig().signedIn(space.ownerToken, `/chat/${channelId}`);
    await say('Build 4712 is ready', METADATA);
    const button = page.getByRole('button', { name: 'Deploy', exact: true });
    await button.waitFor();
    /** Holds the response to what is clicked back until something is seen. */
    const held = async (path: string, clicked: Locator, seen: () => Promise<void>): Promise<void> => {
      const hold = async (route: Route): Promise<void> => {
        const response = await route.fetch();
        await seen();
        await route.fulfill({ response });
      };
      let arrived: Promise<void> | undefined;
      await page.route(path, (route) => (arrived = hold(route)), { times: 1 });
      await clicked.click();
      await eventually(() => expect(arrived).toBeDefined());
      await arrived;
    };
    const dialog = page.getByRole('dialog');
    const submit = page.getByRole('button', { name: 'Deploy now' });
    const ticket = page.getByRole('textbox', { name: 'Ticket' });
    const submitted = (seen: () => Promise<void>, respond: object): Promise<void> =>
      held('**/api/v1/client/modals/*/submit', submit, async () => {
        await answer('modal.submit', respond);
        await seen();
      });

    await held('**/interactions', button, async () => {
      await answer('button.click', { open_modal: MODAL });
      await dialog.waitFor();
    });
    // Nobody waits for an answer that is there: that would take 15 s.
    await page.locator('[data-pending]').waitFor({ state: 'detached', timeout: 8_000 });
    await ticket.fill('OPS-3');
    const wrong = page.getByText('OPS-3 is closed already.');
    await submitted(() => wrong.waitFor(), { errors: { ticket: 'OPS-3 is closed already.' } });
    await ticket.fill('OPS-4');
    await submitted(() => page.getByText('It goes.').waitFor(), { ephemeral_text: 'It goes.' });
    await dialog.waitFor({ state: 'detached' });
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
    const root = page.getByRole('article').filter({ hasText: '1 reply' });
    await root.getByText('2. Sushi').first().waitFor();
    const [asked] = (
      await rig().made('GET', `/api/v1/channels/${channelId}/messages?limit=200`, owner)
    ).messages.filter((message: { reply_count?: number }) => message.reply_count === 1);
    await rig().made('POST', `/api/v1/client/conversations/${channelId}/messages`, owner, {
      text: 'With rice',
      parent_message_id: asked.id,
    });
    await page.getByRole('link', { name: /^2 replies last \d\d:\d\d$/ }).waitFor();
    expect(await rig().axeFaults(page)).toEqual([]);
    await rig().pictures(page, 'chat-thread');
  },
);

browserTest(
  'a long history is read page by page both ways; what is drawn and kept of it is bounded',
  async () => {
    const id = await longChannel('long');
    const page = await rig().signedIn(space.ownerToken, `/chat/${id}`);
    const log = page.getByRole('log');
    await log.getByText(/^line 1500\./).waitFor();
    await expect(log.getByText('line 1.', { exact: false }).count()).resolves.toBe(0);
    /** Scrolls on until the text is there. @returns the most messages that were drawn at once */
    const scrollTo = (edge: 'top' | 'bottom', text: string): Promise<number> =>
      page.evaluate(
        async ({ edge: where, text: wanted }) => {
          const world = globalThis as any;
          const element = world.document.querySelector('[role=log]');
          let most = 0;
          for (const until = Date.now() + 14_000; Date.now() < until;) {
            element.scrollTop = where === 'top' ? 0 : element.scrollHeight;
            await new Promise((drawn) => world.requestAnimationFrame(drawn));
            most = Math.max(most, element.querySelectorAll('article').length);
            if (element.textContent.includes(wanted)) return most;
          }
          throw new Error(`never came to ${wanted}`);
        },
        { edge, text },
      );
    expect(await scrollTo('top', 'This is the beginning of the conversation.')).toBeLessThan(60);
    await log.getByText(/^line 1\. /).waitFor();
    expect(await scrollTo('bottom', 'line 1500.')).toBeLessThan(60);

    await page.goto(`/chat/${id}?at=700`);
    await log.getByText(/^line 700\./).waitFor();
    expect(await unsteadySteps(page, 25)).toEqual([]);
    expect(Number((await log.textContent())?.match(/line (\d+)\./)?.[1])).toBeLessThan(640);
    await page.getByRole('button', { name: 'Jump to latest' }).click();
    await log.getByText(/^line 1500\./).waitFor();
  },
);

browserTest(
  'whoever scrolls from a linked message before what stands above it has come is not taken back',
  async () => {
    const id = await longChannel('linked');
    const page = await rig().signedIn(space.ownerToken, '/chat');
    let release = (): void => undefined;
    const released = new Promise<void>((done) => (release = done));
    await page.route(/before_msg_index=/, async (route) => {
      await released;
      await route.continue();
    });
    const asked = page.waitForRequest(/before_msg_index=/);
    await page.goto(`/chat/${id}?at=700`);
    const log = page.getByRole('log');
    const height = (): Promise<number> => log.evaluate((element: any) => element.scrollHeight);
    const linked = log.getByRole('article').filter({ hasText: /line 700\./ });
    const top = async (): Promise<number> => (await linked.boundingBox())!.y;
    await asked;
    await linked.hover();
    const before = await height();
    const start = await top();
    await page.mouse.wheel(0, -300);
    await eventually(async () => expect(await top()).toBeCloseTo(start + 300, -1));
    release();
    // A hundred messages more.
    await eventually(async () => expect(await height()).toBeGreaterThan(before + 3000));
    expect(await top()).toBeCloseTo(start + 300, -1);
  },
);

/**
 * Makes a channel with more messages than the page keeps, so that it lets go of the far end and
 * reads it again. @returns its id
 */
async function longChannel(name: string): Promise<string> {
  const { conversation } = await rig().made('POST', '/api/v1/client/conversations', space.ownerToken, {
    name,
  });
  const { id } = conversation;
  await rig().tieline.sql.query(
    `INSERT INTO messages (space_id, id, conversation_id, msg_index, author_id, author_type, text, sent_at)
     SELECT $1, gen_random_uuid(), $2, n, $3, 'user', 'line ' || n || '.' || repeat(' More words.', n % 20), now() - (2000 - n) * interval '1 minute'
       FROM generate_series(1, 1500) n`,
    [space.spaceId, id, space.ownerId],
  );
  await rig().tieline.sql.query('UPDATE conversations SET last_msg_index = 1500 WHERE id = $1', [id]);
  return id;
}

/**
 * Turns the wheel upwards, 480 pixels at a time, so that pages are put in front of what is read.
 * @returns each step after which a message stood elsewhere than that far below
 */
async function unsteadySteps(page: Page, steps: number): Promise<string[]> {
  const box = await page.getByRole('log').boundingBox();
  await page.mouse.move(box!.x + box!.width / 2, box!.y + box!.height / 2);
  const places = (): Promise<Record<string, number>> =>
    page.evaluate(async () => {
      const world = globalThis as any;
      // One frame in which the wheel is heeded, one in which what it brought is drawn, and one in
      // which that is measured.
      for (let frame = 0; frame < 3; frame += 1)
        await new Promise((drawn) => world.requestAnimationFrame(drawn));
      const rows = [...world.document.querySelectorAll('[role=log] article')];
      return Object.fromEntries(
        rows.map((row) => [/line \d+\./.exec(row.textContent)?.[0], row.getBoundingClientRect().top]),
      );
    });
  const unsteady: string[] = [];
  let before = await places();
  for (let step = 0; step < steps; step += 1) {
    await page.mouse.wheel(0, -480);
    const after = await places();
    const moved = Object.keys(after)
      .filter((line) => line in before)
      .map((line) => after[line]! - before[line]!);
    if (moved.length === 0 || moved.some((by) => Math.abs(by - 480) > 2)) unsteady.push(`${step}: ${moved}`);
    before = after;
  }
  return unsteady;
}

/** Chooses from the menu of a conversation. */
async function choose(page: Page, conversation: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${conversation}` }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

browserTest(
  'members come and go by a dialog; a guest finds what they were brought to, and the names there',
  async () => {
    const owner = space.ownerToken;
    const { token } = await rig().made('POST', '/api/v1/admin/users', owner, {
      display_name: 'Gina Guest',
      role: 'guest',
    });
    const { conversation } = await rig().made('POST', '/api/v1/client/conversations', owner, {
      name: 'board',
      is_public: false,
    });
    await rig().made('POST', `/api/v1/client/conversations/${conversation.id}/messages`, owner, {
      text: 'Welcome, everybody',
    });
    const page = await rig().signedIn(owner, `/chat/${conversation.id}`);
    await page.getByText('Welcome, everybody').waitFor();
    await choose(page, 'board', 'Members');
    const members = page.getByRole('dialog', { name: 'Members' });
    await members.getByRole('listitem').filter({ hasText: 'Owner' }).getByText('You').waitFor();
    await members.getByRole('button', { name: 'Add someone' }).click();
    const adding = page.getByRole('dialog', { name: 'Add someone' });
    await adding.getByRole('combobox', { name: 'Person or bot' }).fill('Gina');
    await page.getByRole('option', { name: 'Gina Guest' }).click();
    await adding.getByRole('button', { name: 'Add', exact: true }).click();
    const gina = members.getByRole('listitem').filter({ hasText: 'Gina Guest' });
    await gina.waitFor();
    expect(await rig().axeFaults(page)).toEqual([]);
    await rig().pictures(page, 'chat-members');

    const guest = await rig().signedIn(token, '/chat');
    await guest.getByRole('link', { name: 'board' }).click();
    await guest.getByRole('article', { name: 'Owner' }).getByText('Welcome, everybody').waitFor();
    expect(await guest.getByRole('link', { name: 'deploys' }).count()).toBe(0);
    const field = guest.getByRole('combobox', { name: 'Message to board' });
    await field.fill('Good to be here');
    await field.press('Enter');
    await guest.getByRole('article', { name: 'Gina Guest' }).getByText('Good to be here').waitFor();
    expect(await rig().axeFaults(guest)).toEqual([]);

    await gina.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('heading', { name: 'Remove Gina Guest from board?' }).waitFor();
    await page.getByRole('button', { name: 'Remove Gina Guest' }).click();
    await gina.waitFor({ state: 'detached' });
    await members.getByRole('listitem').filter({ hasText: 'Owner' }).waitFor();
    await guest.goto('/chat');
    await guest.getByText('No conversations yet').waitFor();
  },
);

browserTest(
  'on a phone nothing of a message or of the list is wider than the screen; a message is deleted from its menu',
  async () => {
    const owner = space.ownerToken;
    const name = 'a-channel-whose-name-is-longer-than-any-line-of-any-telephone-could-ever-be-so-it-is-cut';
    const { conversation } = await rig().made('POST', '/api/v1/client/conversations', owner, {
      name: name.slice(0, 80),
    });
    await rig().made('POST', `/api/v1/client/conversations/${conversation.id}/members`, owner, {
      member_id: botId,
    });
    await rig().made('POST', '/api/v1/bot/messages', botToken, {
      conversation_id: conversation.id,
      content: 'Wide',
      metadata_json: JSON.stringify({
        version: 1,
        blocks: [
          {
            type: 'actions',
            elements: [
              {
                type: 'button',
                action_id: 'wide',
                text: 'A button with as many words as are allowed on a button, which are many',
              },
              { type: 'user_select', action_id: 'who', placeholder: 'Who' },
              { type: 'conversation_select', action_id: 'where', placeholder: 'Where' },
            ],
          },
        ],
      }),
    });
    const page = await rig().signedIn(owner, '/chat', { width: 'narrow' });
    await page.getByRole('link', { name: 'deploys' }).waitFor();
    expect(await tooWide(page)).toEqual([]);
    await page.goto(`/chat/${conversation.id}`);
    const message = page.getByRole('article', { name: 'Deployer' });
    await message.getByRole('combobox', { name: 'Where' }).waitFor();
    expect(await tooWide(page)).toEqual([]);

    await message.hover();
    await message.getByRole('button', { name: 'Actions for the message from Deployer' }).click();
    expect(await rig().axeFaults(page)).toEqual([]);
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete message' }).click();
    await page.getByText('This message was deleted.').waitFor();
    await page.goto('/chat/019ad735-0000-7000-8000-000000000001');
    await page.getByRole('heading', { name: 'Conversation not found' }).waitFor();
  },
);

/** Texts and things to press that reach beyond the right edge, where no finger comes. */
const tooWide = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const world = globalThis as any;
    return [...world.document.querySelectorAll('main :is(a, button, input, p, h2)')]
      .filter((element) => element.getBoundingClientRect().right > world.innerWidth)
      .map((element) => `${element.tagName} ${element.textContent}`);
  });

browserTest('a link to a reply opens its thread; the tasks of a conversation lead to theirs', async () => {
  const owner = space.ownerToken;
  const root = await say('Who checks the build?');
  const reply = await rig().made('POST', `/api/v1/client/conversations/${channelId}/messages`, owner, {
    text: 'I do, after lunch',
    parent_message_id: root.message_id,
  });
  const { message } = await rig().made('GET', `/api/v1/client/messages/${reply.message_id}`, owner);
  const page = await rig().signedIn(owner, new URL(message.permalink).pathname);
  const thread = page.getByRole('region', { name: 'Thread' });
  await thread.getByText('I do, after lunch').waitFor();
  await thread.getByText('Who checks the build?').waitFor();
  expect(new URL(page.url()).search).toBe(`?thread=${root.message_id}`);

  await page.goto(`/chat/${channelId}`);
  await page.getByText('Who checks the build?').waitFor();
  await choose(page, 'deploys', 'Tasks');
  await page.getByText('No tasks here yet').waitFor();
  await rig().made('POST', '/api/v1/bot/execution_tasks', botToken, {
    conversation_id: channelId,
    parent_message_id: root.message_id,
    title: 'Check the build',
    idempotency_key: 'check',
  });
  const task = page
    .getByRole('dialog', { name: 'Tasks' })
    .getByRole('region', { name: 'Task: Check the build' });
  await task.waitFor();
  expect(await rig().axeFaults(page)).toEqual([]);
  await rig().pictures(page, 'chat-tasks');
  await task.getByRole('link', { name: 'Open thread' }).click();
  await page.getByRole('region', { name: 'Thread' }).getByText('I do, after lunch').waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
});
