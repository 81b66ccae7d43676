import {
  createPushSubscriptionAsPerson,
  deletePushSubscriptionAsPerson,
  getPushKeyAsPerson,
} from '@tieline/sdk/api';
import type { ApiClient } from '../../api/api-session.js';

/** Push state of this browser. `impossible`: not supported. `refused`: blocked by the user. */
type PushState = 'impossible' | 'refused' | 'off' | 'on';

/** Storage key for the person whose notifications this browser shows. */
const KEY = 'tieline.push';

const isPossible = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;

/** Returns the push state for a person. */
export async function pushState(personId: string): Promise<PushState> {
  if (!isPossible()) return 'impossible';
  if (Notification.permission === 'denied') return 'refused';
  return (await subscription()) && kept()?.personId === personId ? 'on' : 'off';
}

/**
 * Asks for permission, then registers the browser for the person.
 *
 * @throws the browser's error if its push service is unreachable; ApiFailure
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

/** Stops notifications and removes the browser from the server. */
export async function turnPushOff(client: ApiClient): Promise<void> {
  const id = kept()?.id;
  localStorage.removeItem(KEY);
  await (await subscription())?.unsubscribe();
  // A subscription that is already gone is fine.
  if (id !== undefined) await deletePushSubscriptionAsPerson({ client, path: { id } }).catch(() => undefined);
}

/**
 * Registers the browser again, because the server deletes a subscription with its session, and
 * browsers may change its address. Removes a subscription of another person instead.
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
 * The only script address the page may create under Trusted Types. A policy name can be used only
 * once, so it is created with the module.
 */
const policy = trustedTypes?.createPolicy('tieline-service-worker', { createScriptURL: () => ADDRESS });

const workerAddress = (): string => policy?.createScriptURL('') ?? ADDRESS;
