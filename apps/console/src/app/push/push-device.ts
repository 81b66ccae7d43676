import {
  createPushSubscriptionAsPerson,
  deletePushSubscriptionAsPerson,
  getPushKeyAsPerson,
} from '@tieline/sdk/api';
import type { ApiClient } from '../api/door.js';

/**
 * Whether this browser is told things while no page is open. `impossible`: it cannot be; `refused`:
 * its user said no.
 */
export type PushState = 'impossible' | 'refused' | 'off' | 'on';

/**
 * Whose pushes come to this browser: of the person who wanted them, not of whoever signs in next.
 */
const KEY = 'tieline.push';

const isPossible = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;

/** How it is for this person here. */
export async function pushState(personId: string): Promise<PushState> {
  if (!isPossible()) return 'impossible';
  if (Notification.permission === 'denied') return 'refused';
  return (await subscription()) && kept()?.personId === personId ? 'on' : 'off';
}

/**
 * Asks the browser's user, then registers the browser for the person.
 * @throws whatever the browser says where its push service is out of reach; an ApiFailure
 */
export async function turnPushOn(client: ApiClient, personId: string): Promise<PushState> {
  if (!isPossible()) return 'impossible';
  if ((await Notification.requestPermission()) !== 'granted') return 'refused';
  const registration = await navigator.serviceWorker.register(workerAddress());
  await navigator.serviceWorker.ready;
  const { public_key: key } = await getPushKeyAsPerson({ client });
  const made = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  await tell(client, made, personId);
  return 'on';
}

/** Nothing comes any more, and the server forgets the browser. */
export async function turnPushOff(client: ApiClient): Promise<void> {
  const id = kept()?.id;
  localStorage.removeItem(KEY);
  await (await subscription())?.unsubscribe();
  // Gone already is as good.
  if (id !== undefined) await deletePushSubscriptionAsPerson({ client, path: { id } }).catch(() => undefined);
}

/**
 * The server forgets a browser with its session, and a browser may change its address: a new
 * session names it again. Another person's is ended instead.
 */
export async function renewPush(client: ApiClient, personId: string): Promise<void> {
  if (!isPossible() || Notification.permission !== 'granted') return;
  const known = await subscription();
  if (!known) return;
  if (kept()?.personId === personId) await tell(client, known, personId);
  else {
    localStorage.removeItem(KEY);
    await known.unsubscribe();
  }
}

async function tell(client: ApiClient, made: PushSubscription, personId: string): Promise<void> {
  const { endpoint, keys } = made.toJSON();
  const { id } = await createPushSubscriptionAsPerson({
    client,
    body: { endpoint: endpoint ?? '', keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } },
  });
  localStorage.setItem(KEY, JSON.stringify({ personId, id }));
}

async function subscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration('/');
  return (await registration?.pushManager.getSubscription()) ?? null;
}

function kept(): { personId?: string; id?: string } | undefined {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as { personId?: string; id?: string };
  } catch {
    return undefined;
  }
}

interface Policies {
  createPolicy(
    name: string,
    rules: { createScriptURL(): string },
  ): { createScriptURL(input: string): string };
}

const ADDRESS = '/service-worker.js';
const { trustedTypes } = globalThis as { trustedTypes?: Policies };
/**
 * The one script address that the page may make (Trusted Types): always this one. A name can be
 * taken once, so it is made with the module.
 */
const policy = trustedTypes?.createPolicy('tieline-service-worker', { createScriptURL: () => ADDRESS });

const workerAddress = (): string => policy?.createScriptURL('') ?? ADDRESS;
