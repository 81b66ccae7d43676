import type { NewDelivery, NewPayload } from '@tieline/delivery';
import type { LiveSecrets } from '@tieline/signing';
import { uuidv7 } from 'uuidv7';
import { withContext } from './envelope.js';
import type { EventContext } from './envelope.js';
import { contextFor } from './event-context.js';
import { OUTGOING } from '../deliveries/outgoing-kind-name.js';
import { fixedHeaders, unixSeconds } from './sign-delivery.js';
import { envelopeOf, isNotice } from './notice-event.js';
import type { OutgoingEvent } from './notice-event.js';
import type { SubscriptionConfig } from './subscription-config.js';

/**
 * Collects the deliveries of a batch. Serializes an event once per requested context size and once
 * thin. Each delivery gets its own id and signature.
 */
export class DeliveryDrafts {
  readonly payloads: NewPayload[] = [];
  readonly deliveries: NewDelivery[] = [];
  private readonly timestamp = unixSeconds();

  /**
   * @param secrets secrets of the subscriptions; subscriptions without an entry have been deleted
   * and get no delivery
   */
  constructor(private readonly secrets: ReadonlyMap<string, LiveSecrets>) {}

  /**
   * Adds the deliveries of an event. `context` is defined if any subscription includes one.
   * `position` is the event's position in the outbox.
   */
  add(
    { event, position }: { event: OutgoingEvent; position: number },
    subscriptions: readonly SubscriptionConfig[],
    context: EventContext | undefined,
  ): void {
    const variants = new Map<Variant, NewPayload>();
    for (const { id, retryProfile, ordered, ...wanted } of subscriptions) {
      const secrets = this.secrets.get(id);
      if (secrets === undefined) continue;
      const variant = variantOf(wanted);
      let payload = variants.get(variant);
      if (!payload) {
        const body = Buffer.from(bodyOf(event, variant, context));
        payload = { id: uuidv7(), spaceId: event.space_id, body };
        variants.set(variant, payload);
        this.payloads.push(payload);
      }
      const order = ordered === true ? orderOf(event, position) : undefined;
      const facts = { event, payload, targetId: id, secrets, timestamp: this.timestamp };
      this.deliveries.push({ ...newDelivery(facts), retryProfile, order });
    }
  }
}

/** Variant of an event's body: thin, or the number of context messages. */
type Variant = 'thin' | number;

function variantOf({
  payload,
  includeContext,
  contextSize,
}: Pick<SubscriptionConfig, 'payload' | 'includeContext' | 'contextSize'>): Variant {
  if (payload === 'thin') return 'thin';
  return includeContext ? contextSize : 0;
}

/** Context of a notice, which has no earlier messages. */
const NO_CONTEXT: EventContext = { messages: [], context_error: false };

function bodyOf(event: OutgoingEvent, variant: Variant, context: EventContext | undefined): string {
  const text = envelopeOf(event, { thin: variant === 'thin' });
  if (variant === 'thin' || variant === 0) return text;
  if (isNotice(event)) return withContext(text, NO_CONTEXT);
  return context ? withContext(text, contextFor(event, context, variant)) : text;
}

interface DeliveryFacts {
  event: OutgoingEvent;
  payload: NewPayload;
  targetId: string;
  secrets: LiveSecrets;
  timestamp: number;
}

/** Orders events by commit within their conversation. Notices belong to none. */
function orderOf(event: OutgoingEvent, position: number): NewDelivery['order'] {
  return isNotice(event) ? undefined : { key: event.conversation.id, position };
}

function newDelivery({ event, payload, targetId, secrets, timestamp }: DeliveryFacts): NewDelivery {
  const id = uuidv7();
  return {
    id,
    spaceId: event.space_id,
    kind: OUTGOING,
    targetId,
    eventId: event.event_id,
    eventType: event.event_type,
    payloadId: payload.id,
    headers: fixedHeaders({
      deliveryId: id,
      eventType: event.event_type,
      timestamp,
      secrets,
      body: payload.body,
    }),
  };
}
