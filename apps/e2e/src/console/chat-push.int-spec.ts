import type { Page, Worker } from 'playwright-core';
import { Browser } from '@tieline/notifications/testing';
import { eventually, startTlsReceiver } from '@tieline/testing';
import type { Receiver } from '@tieline/testing';
import { browserTest, ConsoleHarness } from './browser.js';
import type { ConsoleSpace } from './browser.js';
import { PollingBot } from './polling-bot.js';

const pushTest = (name: string, test: () => Promise<void>): void => browserTest(name, test, 'notifications');

let started: ConsoleHarness | undefined;
let space: ConsoleSpace;
let channelId: string;
let hook: string;
let service: Receiver;
const keys = new Browser();

function harness(): ConsoleHarness {
  if (!started) throw new Error('no browser');
  return started;
}

beforeAll(async () => {
  started = await ConsoleHarness.start({ what: 'notifications' });
  if (!started) return;
  space = await started.createSpace();
  const { conversation } = await started.call('POST', '/api/v1/client/conversations', space.ownerToken, {
    name: 'alerts',
  });
  channelId = conversation.id;
  const { url } = await started.call('POST', '/api/v1/admin/incoming_webhooks', space.ownerToken, {
    name: 'Monitoring',
    conversation_id: channelId,
    require_signature: false,
  });
  hook = new URL(url).pathname;
  service = await startTlsReceiver(201);
  started.tieline.receivers.push(service);
});

afterAll(() => started?.close());

/**
 * Replaces Chromium's push service, which tests cannot reach: the page gets a subscription at our
 * receiver, with a public name and TLS as the product requires and keys that the test holds. The
 * service worker, its registration and its notifications are the browser's own.
 */
async function standInForPushService(page: Page): Promise<void> {
  const made = { endpoint: `${service.url}/send/1`, keys: keys.keys };
  await page.addInitScript((subscription) => {
    let isOn = (globalThis as any).localStorage.getItem('test.subscribed') !== null;
    const shown = {
      toJSON: () => subscription,
      unsubscribe: async () => {
        isOn = false;
        (globalThis as any).localStorage.removeItem('test.subscribed');
      },
    };
    Object.assign((globalThis as any).PushManager.prototype, {
      subscribe: async () => {
        isOn = true;
        (globalThis as any).localStorage.setItem('test.subscribed', '1');
        return shown;
      },
      getSubscription: async () => (isOn ? shown : null),
    });
  }, made);
}

const alert = (text: string) =>
  fetch(new URL(hook, harness().api.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text, severity: 'warning', mentions: [space.ownerId] }),
  });

const devices = async (): Promise<string[]> => {
  const { push_subscriptions: all } = await harness().call(
    'GET',
    '/api/v1/client/push_subscriptions',
    space.ownerToken,
  );
  return all.map(({ endpoint }: { endpoint: string }) => endpoint);
};

/** Opens the channel in a page whose browser shows notifications. */
async function openWithPush(): Promise<Page> {
  const page = await harness().openPage();
  await page.context().grantPermissions(['notifications'], { origin: harness().origin });
  await standInForPushService(page);
  await page.request.post('/api/v1/client/session', { data: { token: space.ownerToken } });
  await page.goto(`/chat/${channelId}`);
  await page.getByRole('button', { name: 'Actions for alerts' }).click();
  await page.getByRole('menuitem', { name: 'Notification settings' }).click();
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByText('This browser shows notifications.').waitFor();
  return page;
}

/** Returns the service worker, which the browser may report after the page has registered it. */
const serviceWorkerOf = async (page: Page): Promise<Worker> =>
  page.context().serviceWorkers()[0] ?? page.context().waitForEvent('serviceworker');

/** Delivers a push to the service worker as the push service would, and waits until it is shown. */
async function deliver(page: Page, push: object): Promise<void> {
  // Chromium forgets a just-stored notification if asked before it is shown, so the test waits
  // first.
  const worker = await serviceWorkerOf(page);
  await worker.evaluate(() => {
    const world = globalThis as any;
    const { registration } = world;
    const show = registration.showNotification.bind(registration);
    world.isShown = new Promise<void>((done) => {
      registration.showNotification = async (...given: unknown[]) => {
        await show(...given);
        done();
      };
    });
  });
  const session = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) =>
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [registration] = registrations;
      if (registration) resolve(registration.registrationId);
    }),
  );
  await session.send('ServiceWorker.enable');
  await session.send('ServiceWorker.deliverPushMessage', {
    origin: harness().origin,
    registrationId: await registered,
    data: JSON.stringify(push),
  });
  await worker.evaluate(() => (globalThis as any).isShown);
}

/** Presses the only notification, or one of its buttons. */
const press = async (page: Page, action = '') =>
  (await serviceWorkerOf(page)).evaluate(async (pressed) => {
    const world = globalThis as any;
    const [notification] = await world.registration.getNotifications();
    world.dispatchEvent(new world.NotificationEvent('notificationclick', { notification, action: pressed }));
  }, action);

/** Returns the notifications that the browser shows. */
const shownIn = (page: Page): Promise<Record<string, any>[]> =>
  page.evaluate(async () => {
    const registration = await (globalThis as any).navigator.serviceWorker.ready;
    const all = await registration.getNotifications();
    return all.map(({ title, body, data, actions }: any) => ({
      title,
      body,
      address: data.address,
      actions: actions.map((one: any) => one.title),
    }));
  });

pushTest('alerts come to the browser, lead to their message, and end with the session', async () => {
  const page = await openWithPush();
  expect(await harness().axeViolations(page)).toEqual([]);
  await harness().takeScreenshots(page, 'chat-notifications');
  expect(await devices()).toEqual([`${service.url}/send/1`]);

  expect((await alert('Disk full')).status).toBe(200);
  const [request] = await service.waitFor(1);
  const push = keys.read(request!) as Record<string, string>;
  expect(push).toMatchObject({ conversation_id: channelId, body: 'Disk full', severity: 'warning' });

  await deliver(page, push);
  const address = `/c/${channelId}/${push.message_id}`;
  expect(await shownIn(page)).toEqual([{ title: push.title, body: 'Disk full', address, actions: [] }]);

  await page.goto('/sessions');
  await page.getByRole('heading', { name: 'Active sessions' }).waitFor();
  await press(page);
  await page.waitForURL(/\/chat\/.*at=1/);
  await page.getByRole('log').getByText('Disk full').waitFor();
  await eventually(async () => expect(await shownIn(page)).toEqual([]));

  await page.getByRole('button', { name: 'Notifications' }).click();
  const notice = page.getByRole('link', { name: /Warning Monitoring alerts .*Disk full/ });
  await notice.waitFor();
  expect(await harness().axeViolations(page)).toEqual([]);
  await harness().takeScreenshots(page, 'chat-notices');
  await notice.click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await page.getByRole('button', { name: /Owner/ }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in to Tieline' }).waitFor();
  await eventually(async () => expect(await devices()).toEqual([]));

  // The same person signs in again and gets notifications in this browser; another person does not.
  await page.request.post('/api/v1/client/session', { data: { token: space.ownerToken } });
  await page.goto('/chat');
  await eventually(async () => expect(await devices()).toEqual([`${service.url}/send/1`]));
  const { token } = await harness().call('POST', '/api/v1/admin/users', space.ownerToken, {
    display_name: 'Ann',
    role: 'member',
  });
  await page.request.post('/api/v1/client/session', { data: { token } });
  await page.goto('/chat');
  await eventually(async () =>
    expect(await page.evaluate(() => (globalThis as any).localStorage.getItem('test.subscribed'))).toBeNull(),
  );
  const others = await harness().call('GET', '/api/v1/client/push_subscriptions', token);
  expect(others.push_subscriptions).toEqual([]);
});

pushTest('an approval is decided from its notification without a page, unless it has a form', async () => {
  const bot = await PollingBot.create(harness(), space, 'releases');
  const page = await openWithPush();
  await page.goto('/sessions');
  const ask = async (title: string, more: object = {}): Promise<[string, Record<string, any>]> => {
    const before = service.requests.length;
    const body = { conversation_id: bot.channelId, title, ...more };
    const { approval } = await bot.call('POST', '/approvals', body);
    await service.waitFor(before + 1);
    return [approval.id, keys.read(service.requests[before]!) as Record<string, any>];
  };
  const decided = (id: string, state: string): Promise<void> =>
    eventually(
      async () => expect((await bot.call('GET', `/approvals/${id}?wait=10`)).approval.state).toBe(state),
      { timeoutMs: 60_000 },
    );

  const [id, push] = await ask('Deploy v1?');
  await deliver(page, push);
  expect(await shownIn(page)).toMatchObject([{ actions: ['Approve', 'Deny'] }]);
  await press(page, 'approve');
  await decided(id, 'approved');
  const [other, otherPush] = await ask('Deploy v2?');
  await deliver(page, otherPush);
  await press(page, 'deny');
  await decided(other, 'denied');
  expect(new URL(page.url()).pathname).toBe('/sessions');

  const form = { title: 'When?', fields: [{ id: 'ticket', type: 'text', label: 'Ticket' }] };
  const [, withForm] = await ask('Deploy v3?', { form });
  await deliver(page, withForm);
  expect(await shownIn(page)).toMatchObject([{ actions: [] }]);
  await press(page);
  await page.getByRole('region', { name: 'Approval: Deploy v3?' }).waitFor();
});
