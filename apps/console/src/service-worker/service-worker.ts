import { decideFromPush } from './decide-from-push.js';
import { shownPush } from './shown-push.js';
import type { PushedApproval } from './shown-push.js';

/**
 * Service worker of the console. Shows push notifications while no page is open, and opens the page
 * of a clicked notification. Stores nothing.
 */

interface Extendable extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface PushEvent extends Extendable {
  data: { text(): string } | null;
}

interface NotificationEvent extends Extendable {
  notification: Notification;
  /** The pressed button, or empty. */
  action: string;
}

interface WindowClient {
  focus(): Promise<unknown>;
  postMessage(message: unknown): void;
}

/**
 * The service worker globals used here. TypeScript cannot load their types together with those of
 * pages.
 */
interface WorkerScope {
  registration: ServiceWorkerRegistration;
  clients: {
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<WindowClient[]>;
    openWindow(address: string): Promise<unknown>;
    claim(): Promise<void>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: Extendable) => void): void;
  addEventListener(type: 'push', listener: (event: PushEvent) => void): void;
  addEventListener(type: 'notificationclick', listener: (event: NotificationEvent) => void): void;
}

const world = globalThis as unknown as WorkerScope;

world.addEventListener('install', () => void world.skipWaiting());
world.addEventListener('activate', (event) => event.waitUntil(world.clients.claim()));

world.addEventListener('push', (event) => {
  const { title, options } = shownPush(event.data?.text());
  event.waitUntil(world.registration.showNotification(title, options));
});

world.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const data = (event.notification.data ?? {}) as { address?: string; approval?: PushedApproval };
  const { address = '/chat', approval } = data;
  const option = approval?.options[event.action];
  event.waitUntil(approval && option !== undefined ? decide(approval.id, option, address) : lead(address));
});

/** Decides an approval. If that fails, opens its card, which says why. */
async function decide(id: string, option: string, address: string): Promise<void> {
  if (!(await decideFromPush(fetch, id, option))) await lead(address);
}

/** Navigates an open page, or opens a new one. */
async function lead(address: string): Promise<void> {
  const [page] = await world.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (!page) return void (await world.clients.openWindow(address));
  page.postMessage({ goTo: address });
  await page.focus().catch(() => undefined);
}
