import { pushHeaders } from '@tieline/bots';
import { planDeliveries } from '@tieline/delivery';
import type { NewDelivery, NewPayload, OutboxRecord, OutboxSubscriber } from '@tieline/delivery';
import type { Tx } from '@tieline/platform/database';
import { v7 as uuidv7 } from 'uuid';
import { APP_EVENT } from './append-app-event.js';
import type { AppEventPayload } from './append-app-event.js';
import { FIND_RECEIVING_APPS } from './app-events.statements.js';

/** The delivery kind of events for apps. */
export const APP_DELIVERY = 'app';

/**
 * Plans the deliveries of events to the `event_url` of apps. They belong to the space of the app,
 * so that its admins see them and an installation in another space cannot delay them.
 */
export class AppEventsPlanner implements OutboxSubscriber {
  readonly name = 'apps';

  async plan(tx: Tx, records: OutboxRecord[]): Promise<void> {
    const events = records.filter(({ type }) => type === APP_EVENT) as OutboxRecord<AppEventPayload>[];
    if (events.length === 0) return;
    const ids = [...new Set(events.map(({ payload }) => payload.app_id))];
    const apps = new Map((await tx.query(FIND_RECEIVING_APPS, [ids])).map((app) => [app.id, app]));
    const payloads: NewPayload[] = [];
    const deliveries: NewDelivery[] = [];
    for (const { eventId, payload } of events) {
      const app = apps.get(payload.app_id);
      if (!app) continue;
      const { spaceId, id: targetId } = app;
      const body = { id: uuidv7(), spaceId, body: Buffer.from(payload.body) };
      payloads.push(body);
      deliveries.push({
        id: uuidv7(),
        spaceId,
        kind: APP_DELIVERY,
        targetId,
        eventId,
        eventType: payload.event_type,
        payloadId: body.id,
        headers: pushHeaders(),
        // An app that misses one would believe in tokens that are revoked.
        retryProfile: 'extended',
      });
    }
    if (deliveries.length > 0) await planDeliveries(tx, payloads, deliveries);
  }
}
