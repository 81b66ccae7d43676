import type { PublicEvents } from '@tieline/conversations';
import type { Tx } from '@tieline/platform/database';
import { checkRowBudget, partOf, planDeliveries, PlannedConfigs } from '@tieline/delivery';
import type { OutboxRecord, OutboxSubscriber } from '@tieline/delivery';
import type { SecretBox } from '@tieline/signing';
import { NOTICE_CREATED } from '@tieline/spaces';
import { DeliveryDrafts } from './delivery-drafts.js';
import type { EventContext } from './envelope.js';
import { contextRequest, readContexts } from './event-context.js';
import type { ContextReader } from './event-context.js';
import { readSecrets } from '../subscriptions/outgoing-webhooks.queries.js';
import { isNotice, noticeEventOf } from './notice-event.js';
import type { OutgoingEvent } from './notice-event.js';
import { OUTGOING_PLANS } from './outgoing-plans.statements.js';
import { OUTGOING_WEBHOOK_CHANGED } from './subscription-config.js';
import type { SubscriptionChange, SubscriptionConfig } from './subscription-config.js';
import { SpaceSubscriptions } from './subscription-matching.js';

/** An event and the subscriptions that receive it. */
interface Match {
  event: OutgoingEvent;
  record: OutboxRecord;
  subscriptions: readonly SubscriptionConfig[];
}

/** Outbox types handled besides chat events. */
const OWN_TYPES: ReadonlySet<string> = new Set([OUTGOING_WEBHOOK_CHANGED, NOTICE_CREATED]);

/**
 * Plans the deliveries of chat events and notices. Each event is matched against the subscriptions
 * as of its commit. Body, delivery id, timestamp and signature are fixed here, before the first
 * attempt.
 */
export class OutgoingPlanner implements OutboxSubscriber {
  readonly name = 'outgoing-webhooks';
  readonly plansInParts = true;
  private readonly plans = new PlannedConfigs<SubscriptionConfig, SpaceSubscriptions>(
    OUTGOING_PLANS,
    (configs) => SpaceSubscriptions.of(configs),
  );

  /** @param failed called when a context cannot be read */
  constructor(
    private readonly box: SecretBox,
    private readonly events: PublicEvents,
    private readonly readContext: ContextReader,
    private readonly failed: (error: unknown) => void,
  ) {}

  async plan(tx: Tx, records: OutboxRecord[]): Promise<void> {
    const relevant = records.filter(({ type }) => OWN_TYPES.has(type) || this.events.has(type));
    if (relevant.length === 0) return;
    await this.plans.begin(
      tx,
      relevant.map(({ spaceId }) => spaceId),
    );
    const matches = this.match(tx, relevant);
    checkRowBudget(
      tx,
      new Map(matches.map(({ record, subscriptions }) => [record.eventId, subscriptions.length])),
    );
    await this.plans.save(tx);
    if (matches.length > 0) await this.deliver(tx, matches);
  }

  committed(): void {
    this.plans.commit();
  }

  rolledBack(): void {
    this.plans.rollBack();
  }

  reset(): void {
    this.plans.reset();
  }

  private match(tx: Tx, records: OutboxRecord[]): Match[] {
    const matches: Match[] = [];
    for (const record of records) {
      const { type, spaceId, payload } = record;
      if (type === OUTGOING_WEBHOOK_CHANGED) {
        this.plans.apply(spaceId, payload as SubscriptionChange);
      } else {
        const match = this.matchOf(record);
        if (!match) continue;
        const subscriptions = partOf(tx, record, match.subscriptions);
        if (subscriptions.length > 0) matches.push({ ...match, subscriptions });
      }
    }
    return matches;
  }

  private matchOf(record: OutboxRecord): Match | undefined {
    const subscriptions = this.plans.of(record.spaceId);
    if (record.type === NOTICE_CREATED) {
      const event = noticeEventOf(record);
      return { event, record, subscriptions: subscriptions.matchingNotice(event) };
    }
    const event = this.events.of(record);
    return event && { event, record, subscriptions: subscriptions.matching(event) };
  }

  private async deliver(tx: Tx, matches: Match[]): Promise<void> {
    const ids = new Set(matches.flatMap(({ subscriptions }) => subscriptions.map(({ id }) => id)));
    const [secrets, contexts] = await Promise.all([
      readSecrets(tx, this.box, [...ids]),
      this.contexts(matches),
    ]);
    const drafts = new DeliveryDrafts(secrets);
    for (const { event, record, subscriptions } of matches)
      drafts.add({ event, position: record.id }, subscriptions, contexts.get(event));
    await planDeliveries(tx, drafts.payloads, drafts.deliveries);
  }

  /**
   * Reads the contexts of all events in one call, each with the largest size that a subscription
   * requests.
   */
  private async contexts(matches: Match[]): Promise<Map<OutgoingEvent, EventContext>> {
    const wanted = matches.flatMap(({ event, subscriptions }) => {
      if (isNotice(event)) return [];
      const size = Math.max(
        0,
        ...subscriptions.map(({ includeContext, contextSize }) => (includeContext ? contextSize : 0)),
      );
      return size > 0 ? [{ event, request: contextRequest(event, size) }] : [];
    });
    if (wanted.length === 0) return new Map();
    const contexts = await readContexts(
      this.readContext,
      wanted.map(({ request }) => request),
      this.failed,
    );
    return new Map(wanted.map(({ event }, n) => [event, contexts[n] as EventContext]));
  }
}
