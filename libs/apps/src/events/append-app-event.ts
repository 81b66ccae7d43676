import { chatEvents } from '@tieline/conversations';
import { appendOutbox } from '@tieline/delivery';
import type { Tx } from '@tieline/platform/database';
import type { Origin } from '@tieline/spaces';
import { uuidv7 } from 'uuidv7';
import type { Installation } from '../installations/installation.entity.js';
import { appInstalled } from './types/app-installed.js';
import { appUninstalled } from './types/app-uninstalled.js';
import { tokensRevoked } from './types/tokens-revoked.js';

/** Events that go to the `event_url` of an app (docs/events.md#events-of-apps). */
export const APP_EVENTS = [appInstalled, appUninstalled, tokensRevoked] as const;

/** Outbox type of {@link AppEventPayload}. */
export const APP_EVENT = 'app.event';

type Body = InstanceType<(typeof APP_EVENTS)[number]['payload']>;
type DataOf<Type extends Body['event_type']> = Omit<
  Extract<Body, { event_type: Type }>['data'],
  'app_id' | 'installation_id'
>;

/** Outbox payload of an event for an app. */
export interface AppEventPayload {
  app_id: string;
  event_type: string;
  /** The envelope, as JSON. */
  body: string;
}

/** What happened to an installation, and who did it. */
export interface AppEvent<Type extends Body['event_type']> {
  type: Type;
  installation: Pick<Installation, 'id' | 'spaceId' | 'appId'>;
  origin: Origin;
  data: DataOf<Type>;
}

/**
 * Appends an event for an app in the transaction of the change. It is sent if the app has an
 * `event_url`, whatever becomes of its bot. Clients without an app get no events.
 */
export async function appendAppEvent<Type extends Body['event_type']>(
  tx: Tx,
  { type: eventType, installation, origin, data }: AppEvent<Type>,
): Promise<void> {
  const { spaceId, appId } = installation;
  if (appId === null) return;
  const eventId = uuidv7();
  const body = appEventBody({
    eventId,
    eventType,
    installation: { ...installation, appId },
    actorUserId: origin.actorId ?? '',
    occurredAt: new Date().toISOString().replace('Z', '000000Z'),
    data,
  });
  const payload: AppEventPayload = { app_id: appId, event_type: eventType, body };
  await appendOutbox(tx, { eventId, spaceId, type: APP_EVENT, payload });
}

/** Returns the envelope of an event for an app, as JSON. */
export function appEventBody<Type extends Body['event_type']>({
  installation: { id: installationId, spaceId, appId },
  data,
  ...event
}: {
  eventId: string;
  eventType: Type;
  installation: { id: string; spaceId: string; appId: string };
  actorUserId: string;
  /** RFC 3339 with nanoseconds. */
  occurredAt: string;
  data: DataOf<Type>;
}): string {
  const envelope = chatEvents.envelope({
    ...event,
    spaceId,
    conversationId: '',
    threadId: '',
    data: { app_id: appId, installation_id: installationId, ...data },
  });
  return chatEvents.withInstallation(envelope, installationId);
}
