import { eventually } from '@tieline/testing';
import type { Locator, Page, Route } from 'playwright-core';
import { browserTest, ConsoleHarness, tabTo } from './browser.js';
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

let started: ConsoleHarness | undefined;
let space: ConsoleSpace;
let channelId: string;
let botToken: string;
let botId: string;

function harness(): ConsoleHarness {
  if (!started) throw new Error('no browser');
  return started;
}

beforeAll(async () => {
  started = await ConsoleHarness.start();
  if (!started) return;
  space = await started.createSpace();
  const owner = space.ownerToken;
  const { conversation } = await started.call('POST', '/api/v1/client/conversations', owner, {
    name: 'deploys',
  });
  channelId = conversation.id;
  const { bot, token } = await started.call('POST', '/api/v1/admin/bots', owner, {
    username: 'deployer',
    display_name: 'Deployer',
  });
  botToken = token;
  botId = bot.id;
  await started.call('POST', `/api/v1/client/conversations/${channelId}/members`, owner, {
    member_id: bot.id,
  });
  await started.call('PATCH', '/api/v1/bot/me', botToken, { event_delivery_mode: 'poll' });
});

afterAll(() => started?.close());

/** Waits for the bot's next event of a type and answers it. */
async function answer(type: string, respond: object): Promise<Record<string, any>> {
  for (let cursor = ''; ;) {
    const { events } = await harness().call('GET', `/api/v1/bot/events?cursor=${cursor}&wait=10`, botToken);
    for (const { id, event_type: found, payload_json: payload } of events) {
      cursor = id;
      const event = JSON.parse(payload);
      if (found !== type || answered.has(event.interaction_id)) continue;
      answered.add(event.interaction_id);
      await harness().call(
        'POST',
        `/api/v1/bot/interactions/${event.interaction_id}/respond`,
        botToken,
        respond,
      );
      return event;
    }
  }
}
const answered = new Set<string>();

const say = (content: string, metadata?: string) =>
  harness().call('POST', '/api/v1/bot/messages', botToken, {
    conversation_id: channelId,
    content,
    ...(metadata && { metadata_json: metadata }),
  });

browserTest(
  'a button opens a form that refuses invalid values and accepts valid ones, and the late answer is shown',
  async () => {
    const page = await harness().openSignedIn(space.ownerToken, '/chat');
    await page.getByRole('link', { name: 'deploys' }).click();
    await page.getByText('No messages yet').waitFor();
    await say('Build 4711 is ready', METADATA);
    const button = page.getByRole('button', { name: 'Deploy', exact: true });
    await button.waitFor();
    expect(await harness().axeViolations(page)).toEqual([]);
    await harness().takeScreenshots(page, 'chat');

    await button.click();
    await answer('button.click', { open_modal: MODAL });
    const ticket = page.getByRole('textbox', { name: 'Ticket' });
    await page.getByRole('button', { name: 'Deploy now' }).click();
    await page.getByText('This field is required.').waitFor();
    await ticket.fill('OPS-1');
    await page.getByRole('button', { name: 'Deploy now' }).click();
    await answer('modal.submit', { errors: { ticket: 'OPS-1 is closed already.' } });
    await page.getByText('OPS-1 is closed already.').waitFor();
    // In a long form the invalid field may be out of view, so the form scrolls to it.
    await eventually(async () =>
      expect(await ticket.evaluate((field: any) => field === field.ownerDocument.activeElement)).toBe(true),
    );
    expect(await harness().axeViolations(page)).toEqual([]);
    await harness().takeScreenshots(page, 'chat-form');

    await ticket.fill('OPS-2');
    await page.getByRole('button', { name: 'Deploy now' }).click();
    const { values, response_url: late } = await answer('modal.submit', {
      ephemeral_text: 'On its way.',
    });
    expect(values.ticket).toBe('OPS-2');
    await page.getByText('On its way.').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await harness().call('POST', new URL(late).pathname, botToken, {
      update_message: { text: 'Deployed with **OPS-2**', metadata_json: '' },
    });
    await page.getByText('Deployed with OPS-2').waitFor();
    expect(await button.count()).toBe(0);
  },
);

browserTest('answers that arrive on the stream before the HTTP response are not lost', async () => {
  const page = await harness().openSignedIn(space.ownerToken, `/chat/${channelId}`);
  await say('Build 4712 is ready', METADATA);
  const button = page.getByRole('button', { name: 'Deploy', exact: true });
  await button.waitFor();
  // A page that misses the answer would stop waiting for it after 15 s.
  await page.evaluate(() => {
    const later = globalThis.setTimeout as (work: () => void, ms?: number) => unknown;
    (globalThis as any).setTimeout = (work: () => void, ms?: number) =>
      later(work, ms === 15_000 ? 600_000 : ms);
  });
  /** Delays the response to a click until something is visible. */
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
  await page.locator('[data-pending]').waitFor({ state: 'detached' });
  await ticket.fill('OPS-3');
  const wrong = page.getByText('OPS-3 is closed already.');
  await submitted(() => wrong.waitFor(), { errors: { ticket: 'OPS-3 is closed already.' } });
  await ticket.fill('OPS-4');
  await submitted(() => page.getByText('It goes.').waitFor(), { ephemeral_text: 'It goes.' });
  await dialog.waitFor({ state: 'detached' });
});

browserTest('posting, voting and replying work by keyboard, and messages of others arrive live', async () => {
  const owner = space.ownerToken;
  const page = await harness().openSignedIn(owner, `/chat/${channelId}`);
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
  expect(await harness().axeViolations(page)).toEqual([]);
  await harness().takeScreenshots(page, 'chat-poll');

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
    await harness().call('GET', `/api/v1/channels/${channelId}/messages?limit=200`, owner)
  ).messages.filter((message: { reply_count?: number }) => message.reply_count === 1);
  await harness().call('POST', `/api/v1/client/conversations/${channelId}/messages`, owner, {
    text: 'With rice',
    parent_message_id: asked.id,
  });
  await page.getByRole('link', { name: /^2 replies last \d\d:\d\d$/ }).waitFor();
  expect(await harness().axeViolations(page)).toEqual([]);
  await harness().takeScreenshots(page, 'chat-thread');
});

browserTest(
  'a long history loads page by page in both directions with bounded rendering and memory',
  async () => {
    const id = await longChannel('long');
    const page = await harness().openSignedIn(space.ownerToken, `/chat/${id}`);
    const log = page.getByRole('log');
    await log.getByText(/^line 1500\./).waitFor();
    await expect(log.getByText('line 1.', { exact: false }).count()).resolves.toBe(0);
    /**
     * Scrolls until the text is visible. @returns the maximum number of messages rendered at a time
     */
    const scrollTo = (edge: 'top' | 'bottom', text: string): Promise<number> =>
      page.evaluate(
        async ({ edge: where, text: wanted }) => {
          const world = globalThis as any;
          const element = world.document.querySelector('[role=log]');
          let most = 0;
          for (const until = Date.now() + 60_000; Date.now() < until;) {
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

/** Opens a long history at a message. Older messages load after `release`. */
async function openLinked(name: string) {
  const id = await longChannel(name);
  const page = await harness().openSignedIn(space.ownerToken, '/chat');
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
  await layoutSettled(page, []);
  const before = await height();
  /** Lets a hundred more messages load. */
  const loadOlder = async (): Promise<void> => {
    release();
    await eventually(async () => expect(await height()).toBeGreaterThan(before + 3000));
    await layoutSettled(page);
  };
  return { page, linked, top, loadOlder };
}

browserTest('scrolling away from a linked message keeps the position while older messages load', async () => {
  const { page, top, loadOlder } = await openLinked('left');
  const start = await top();
  await page.mouse.wheel(0, -300);
  await eventually(async () => expect(await top()).toBeCloseTo(start + 300, -1));
  await loadOlder();
  expect(await top()).toBeCloseTo(start + 300, -1);
});

browserTest('a linked message stays in view when older messages load seconds later', async () => {
  const { page, linked, loadOlder } = await openLinked('late');
  await page.waitForTimeout(2000);
  await loadOlder();
  const [inner, outer] = [await linked.boundingBox(), await page.getByRole('log').boundingBox()];
  expect(inner!.y).toBeGreaterThan(outer!.y);
  expect(inner!.y + inner!.height).toBeLessThan(outer!.y + outer!.height);
});

browserTest('a font that loads late moves no text', async () => {
  const id = await longChannel('fonts');
  const page = await harness().openSignedIn(space.ownerToken, '/chat');
  let release = (): void => undefined;
  const released = new Promise<void>((done) => (release = done));
  await page.route(/\.woff2/, async (route) => {
    await released;
    await route.continue();
  });
  const loaded = page.waitForEvent('requestfinished', (request) => request.url().endsWith('.woff2'));
  await page.goto(`/chat/${id}?at=700`, { waitUntil: 'domcontentloaded' });
  const linked = page
    .getByRole('log')
    .getByRole('article')
    .filter({ hasText: /line 700\./ });
  const top = async (): Promise<number> => (await linked.boundingBox())!.y;
  await linked.hover();
  await layoutSettled(page);
  const start = await top();
  release();
  await loaded;
  await page.evaluate(() => (globalThis as any).document.fonts.ready.then(() => undefined));
  await layoutSettled(page);
  expect(await top()).toBe(start);
});

/**
 * Creates a channel with more messages than the page keeps, so that it drops the far end and loads
 * it again. @returns its id
 */
async function longChannel(name: string): Promise<string> {
  const { conversation } = await harness().call('POST', '/api/v1/client/conversations', space.ownerToken, {
    name,
  });
  const { id } = conversation;
  await harness().tieline.sql.query(
    `INSERT INTO messages (space_id, id, conversation_id, msg_index, author_id, author_type, text, sent_at)
     SELECT $1, gen_random_uuid(), $2, n, $3, 'user', 'line ' || n || '.' || repeat(' More words.', n % 20), now() - (2000 - n) * interval '1 minute'
       FROM generate_series(1, 1500) n`,
    [space.spaceId, id, space.ownerId],
  );
  await harness().tieline.sql.query('UPDATE conversations SET last_msg_index = 1500 WHERE id = $1', [id]);
  return id;
}

type Side = 'above' | 'below';

/**
 * Waits until the history on these sides is loaded as far as a page loads it ahead, which is 3,000
 * pixels, and nothing in it has moved for some frames, because every row is measured.
 */
const layoutSettled = (page: Page, sides: Side[] = ['above', 'below']): Promise<void> =>
  page.evaluate(async (wanted) => {
    const world = globalThis as any;
    const log = world.document.querySelector('[role=log]');
    const places = (): string =>
      [log, ...log.querySelectorAll('article')]
        .map((element) => `${element.getBoundingClientRect().top} ${element.scrollHeight}`)
        .join();
    const isLoaded = (): boolean => {
      const rest = { above: log.scrollTop, below: log.scrollHeight - log.scrollTop - log.clientHeight };
      return wanted.every((side) => rest[side] >= 3000);
    };
    for (let before = '', still = 0; still < 10;) {
      await new Promise((drawn) => world.requestAnimationFrame(drawn));
      const now = places();
      still = now === before && isLoaded() ? still + 1 : 0;
      before = now;
    }
  }, sides);

type Places = Record<string, number>;

/** Returns the top of each visible message. */
const visiblePlaces = (page: Page): Promise<Places> =>
  page.evaluate(() => {
    const log = (globalThis as any).document.querySelector('[role=log]');
    const frame = log.getBoundingClientRect();
    const rows = [...log.querySelectorAll('article')]
      .map((row) => ({ line: /line \d+\./.exec(row.textContent)?.[0], place: row.getBoundingClientRect() }))
      .filter(({ place }) => place.bottom > frame.top && place.top < frame.bottom);
    return Object.fromEntries(rows.map(({ line, place }) => [line, place.top])) as Places;
  });

/** Returns how far each message has moved that was visible before, too. */
const moves = (before: Places, after: Places): number[] =>
  Object.keys(after)
    .filter((line) => line in before)
    .map((line) => after[line]! - before[line]!);

/** Whether all of these messages have moved this far. */
const isSteady = (moved: number[], by: number): boolean =>
  moved.length > 0 && moved.every((one) => Math.abs(one - by) <= 2);

/**
 * Scrolls up in steps of 480 pixels, so that pages are inserted above the viewport. Rows outside of
 * it may move, because they are measured after they are first drawn.
 * @returns each step after which a visible message did not move by exactly that distance
 */
async function unsteadySteps(page: Page, steps: number): Promise<string[]> {
  const box = await page.getByRole('log').boundingBox();
  await page.mouse.move(box!.x + box!.width / 2, box!.y + box!.height / 2);
  const unsteady: string[] = [];
  await layoutSettled(page);
  for (let step = 0; step < steps; step += 1) {
    // The page above may still be on its way.
    await page.waitForFunction(
      () => (globalThis as any).document.querySelector('[role=log]').scrollTop > 480,
    );
    const before = await visiblePlaces(page);
    await page.mouse.wheel(0, -480);
    let [last, after]: [Places, Places] = [before, before];
    // Until the wheel event is handled, and what it shows is drawn and measured.
    await eventually(async () => {
      [last, after] = [after, await visiblePlaces(page)];
      expect(isSteady(moves(before, after), 0)).toBe(false);
      expect(after).toEqual(last);
    });
    const moved = moves(before, after);
    if (!isSteady(moved, 480)) unsteady.push(`${step}: ${moved}`);
  }
  return unsteady;
}

/** Selects an item in the menu of a conversation. */
async function choose(page: Page, conversation: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${conversation}` }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

browserTest('a dialog adds and removes members, and a guest sees their channel and its names', async () => {
  const owner = space.ownerToken;
  const { token } = await harness().call('POST', '/api/v1/admin/users', owner, {
    display_name: 'Gina Guest',
    role: 'guest',
  });
  const { conversation } = await harness().call('POST', '/api/v1/client/conversations', owner, {
    name: 'board',
    is_public: false,
  });
  await harness().call('POST', `/api/v1/client/conversations/${conversation.id}/messages`, owner, {
    text: 'Welcome, everybody',
  });
  const page = await harness().openSignedIn(owner, `/chat/${conversation.id}`);
  await page.getByText('Welcome, everybody').waitFor();
  await choose(page, 'board', 'Members');
  const members = page.getByRole('dialog', { name: 'Members' });
  await members.getByRole('listitem').filter({ hasText: 'Owner' }).getByText('You').waitFor();
  await members.getByRole('button', { name: 'Add a member' }).click();
  const adding = page.getByRole('dialog', { name: 'Add a member' });
  await adding.getByRole('combobox', { name: 'Person or bot' }).fill('Gina');
  await page.getByRole('option', { name: 'Gina Guest' }).click();
  await adding.getByRole('button', { name: 'Add', exact: true }).click();
  const gina = members.getByRole('listitem').filter({ hasText: 'Gina Guest' });
  await gina.waitFor();
  expect(await harness().axeViolations(page)).toEqual([]);
  await harness().takeScreenshots(page, 'chat-members');

  const guest = await harness().openSignedIn(token, '/chat');
  await guest.getByRole('link', { name: 'board' }).click();
  await guest.getByRole('article', { name: 'Owner' }).getByText('Welcome, everybody').waitFor();
  expect(await guest.getByRole('link', { name: 'deploys' }).count()).toBe(0);
  const field = guest.getByRole('combobox', { name: 'Message to board' });
  await field.fill('Good to be here');
  await field.press('Enter');
  await guest.getByRole('article', { name: 'Gina Guest' }).getByText('Good to be here').waitFor();
  expect(await harness().axeViolations(guest)).toEqual([]);

  await gina.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('heading', { name: 'Remove Gina Guest from board?' }).waitFor();
  await page.getByRole('button', { name: 'Remove Gina Guest' }).click();
  await gina.waitFor({ state: 'detached' });
  await members.getByRole('listitem').filter({ hasText: 'Owner' }).waitFor();
  await guest.goto('/chat');
  await guest.getByText('No conversations yet').waitFor();
});

browserTest(
  'on a phone messages and lists fit the screen, and a message can be deleted from its menu',
  async () => {
    const owner = space.ownerToken;
    const name = 'a-channel-whose-name-is-longer-than-any-line-of-any-telephone-could-ever-be-so-it-is-cut';
    const { conversation } = await harness().call('POST', '/api/v1/client/conversations', owner, {
      name: name.slice(0, 80),
    });
    await harness().call('POST', `/api/v1/client/conversations/${conversation.id}/members`, owner, {
      member_id: botId,
    });
    await harness().call('POST', '/api/v1/bot/messages', botToken, {
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
    const page = await harness().openSignedIn(owner, '/chat', { width: 'narrow' });
    await page.getByRole('link', { name: 'deploys' }).waitFor();
    expect(await tooWide(page)).toEqual([]);
    await page.goto(`/chat/${conversation.id}`);
    const message = page.getByRole('article', { name: 'Deployer' });
    await message.getByRole('combobox', { name: 'Where' }).waitFor();
    expect(await tooWide(page)).toEqual([]);

    await message.hover();
    await message.getByRole('button', { name: 'Actions for the message from Deployer' }).click();
    expect(await harness().axeViolations(page)).toEqual([]);
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete message' }).click();
    await page.getByText('This message was deleted.').waitFor();
    await page.goto('/chat/019ad735-0000-7000-8000-000000000001');
    await page.getByRole('heading', { name: 'Conversation not found' }).waitFor();
  },
);

/** Texts and controls that extend beyond the right edge. */
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
  const reply = await harness().call('POST', `/api/v1/client/conversations/${channelId}/messages`, owner, {
    text: 'I do, after lunch',
    parent_message_id: root.message_id,
  });
  const { message } = await harness().call('GET', `/api/v1/client/messages/${reply.message_id}`, owner);
  const page = await harness().openSignedIn(owner, new URL(message.permalink).pathname);
  const thread = page.getByRole('region', { name: 'Thread' });
  await thread.getByText('I do, after lunch').waitFor();
  await thread.getByText('Who checks the build?').waitFor();
  expect(new URL(page.url()).searchParams.get('thread')).toBe(root.message_id);

  await page.goto(`/chat/${channelId}`);
  await page.getByText('Who checks the build?').waitFor();
  await choose(page, 'deploys', 'Tasks');
  await page.getByText('No tasks here yet').waitFor();
  await harness().call('POST', '/api/v1/bot/execution_tasks', botToken, {
    conversation_id: channelId,
    parent_message_id: root.message_id,
    title: 'Check the build',
    idempotency_key: 'check',
  });
  const task = page
    .getByRole('dialog', { name: 'Tasks' })
    .getByRole('region', { name: 'Task: Check the build' });
  await task.waitFor();
  expect(await harness().axeViolations(page)).toEqual([]);
  await harness().takeScreenshots(page, 'chat-tasks');
  await task.getByRole('link', { name: 'Open thread' }).click();
  await page.getByRole('region', { name: 'Thread' }).getByText('I do, after lunch').waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
});
