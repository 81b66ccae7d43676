import { announcePollRecords, BOT_TOKEN_REVOKED, pushHeaders, withData } from '@tieline/bots';
import type { BotTokenRevoked, SlackEvents } from '@tieline/bots';
import { planDeliveries } from '@tieline/delivery';
import type { NewDelivery, NewPayload, OutboxRecord, OutboxSubscriber } from '@tieline/delivery';
import type { Bus } from '@tieline/live';
import type { Tx } from '@tieline/platform/database';
import { uuidv7 } from 'uuidv7';
import { APP_DELIVERY } from './app-delivery-name.js';
import { APP_EVENT, appEventBody } from './append-app-event.js';
import type { AppEventPayload } from './append-app-event.js';
import { FIND_APPS_OF_INSTALLATIONS, FIND_RECEIVING_APPS } from './app-events.statements.js';
import { planSocketEvents } from './plan-socket-events.js';

/** An event for an app, before it is known whether the app receives events. */
type PlannedEvent = AppEventPayload & { eventId: string };

/**
 * Plans the deliveries of events to the `event_url` of apps. They belong to the space of the app,
 * so that its admins see them and an installation in another space cannot delay them.
 */
export class AppEventsPlanner implements OutboxSubscriber {
  readonly name = 'apps';

  /** Bots whose queues got events in the current batch. */
  private queued: string[] = [];

  constructor(
    private readonly bus: Bus,
    private readonly slackEvents: SlackEvents,
  ) {}

  async plan(tx: Tx, records: OutboxRecord[]): Promise<void> {
    this.queued = [];
    const events = [...appended(records), ...(await revocations(tx, records))];
    if (events.length === 0) return;
    const ids = [...new Set(events.map((event) => event.app_id))];
    const apps = new Map((await tx.query(FIND_RECEIVING_APPS, [ids])).map((app) => [app.id, app]));
    const others = events.filter(({ app_id: id }) => !apps.has(id));
    this.queued = await planSocketEvents(tx, this.slackEvents, others);
    const payloads: NewPayload[] = [];
    const deliveries: NewDelivery[] = [];
    const isSlack = ({ app_id: id }: PlannedEvent): boolean => apps.get(id)?.isSlack === true;
    const translated = await this.inSlackFormat(tx, events.filter(isSlack));
    for (const event of [...events.filter((one) => !isSlack(one)), ...translated]) {
      const { eventId, app_id: appId, event_type: eventType, body: text } = event;
      const app = apps.get(appId);
      if (!app) continue;
      const { spaceId, id: targetId } = app;
      const body = { id: uuidv7(), spaceId, body: Buffer.from(text) };
      payloads.push(body);
      deliveries.push({
        id: uuidv7(),
        spaceId,
        kind: APP_DELIVERY,
        targetId,
        eventId,
        eventType,
        payloadId: body.id,
        headers: pushHeaders(),
        // An app that misses one would believe in tokens that are revoked.
        retryProfile: 'extended',
      });
    }
    if (deliveries.length > 0) await planDeliveries(tx, payloads, deliveries);
  }

  committed(): void {
    announcePollRecords(this.bus, this.queued);
    this.queued = [];
  }

  /** Events without a counterpart in Slack are dropped. */
  private async inSlackFormat(tx: Tx, events: readonly PlannedEvent[]): Promise<PlannedEvent[]> {
    if (events.length === 0) return [];
    const given = events.map(({ eventId, app_id: appId, body }) => ({ app: { eventId, appId, body } }));
    const answers = await this.slackEvents.translate(tx, given);
    return answers.flatMap((translated, at) =>
      translated.map(({ eventId, eventType, head, payload }) => ({
        eventId,
        app_id: events[at]?.app_id ?? '',
        event_type: eventType,
        body: withData(head, payload),
      })),
    );
  }
}

const appended = (records: OutboxRecord[]): PlannedEvent[] =>
  records
    .filter((record): record is OutboxRecord<AppEventPayload> => record.type === APP_EVENT)
    .map(({ eventId, payload }) => ({ ...payload, eventId }));

/** Admins replaced tokens of bots (docs/apps.md#bots-of-apps). */
async function revocations(tx: Tx, records: OutboxRecord[]): Promise<PlannedEvent[]> {
  const found = records.filter(
    (record): record is OutboxRecord<BotTokenRevoked> => record.type === BOT_TOKEN_REVOKED,
  );
  if (found.length === 0) return [];
  const ids = found.map(({ payload }) => payload.installation_id);
  const rows = await tx.query(FIND_APPS_OF_INSTALLATIONS, [ids]);
  const installations = new Map(rows.map((row) => [row.id, row]));
  return found.flatMap(({ eventId, payload }) => {
    const installation = installations.get(payload.installation_id);
    if (!installation) return [];
    const eventType = 'TOKENS_REVOKED';
    const body = appEventBody({
      eventId,
      eventType,
      installation,
      actorUserId: payload.actor_user_id,
      occurredAt: payload.occurred_at,
      data: { user_ids: [], bot_ids: [payload.bot_id] },
    });
    return [{ eventId, app_id: installation.appId, event_type: eventType, body }];
  });
}
