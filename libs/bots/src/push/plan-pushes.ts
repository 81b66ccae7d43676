import { chatEvents } from '@tieline/conversations';
import type { Tx } from '@tieline/platform/database';
import { planDeliveries } from '@tieline/delivery';
import type { NewDelivery, NewPayload, RetryProfile } from '@tieline/delivery';
import { uuidv7 } from 'uuidv7';
import type { BotPlan } from '../events/bot-plan.js';
import { PUSH } from './push-kind-name.js';

/** An event and the bots whose webhooks receive it, with a shared body. */
export interface NewPush {
  spaceId: string;
  eventId: string;
  eventType: string;
  body: Buffer;
  bots: readonly { id: string; retryProfile?: RetryProfile | undefined }[];
}

/**
 * Returns the pushes of an event with this envelope. Bots of admins share one body. Each bot of an
 * app gets its own, which names its installation (docs/apps.md#events).
 */
export function byInstallation(
  event: Pick<NewPush, 'spaceId' | 'eventId' | 'eventType'>,
  envelope: string,
  bots: readonly BotPlan[],
): NewPush[] {
  const plain = bots.filter(({ installationId }) => installationId === undefined);
  const pushes = plain.length === 0 ? [] : [{ ...event, body: Buffer.from(envelope), bots: plain }];
  for (const bot of bots)
    if (bot.installationId !== undefined) {
      const body = Buffer.from(chatEvents.withInstallation(envelope, bot.installationId));
      pushes.push({ ...event, body, bots: [bot] });
    }
  return pushes;
}

/** Stored with the delivery. Timestamp and signature are created for each attempt. */
const HEADERS = { 'Content-Type': 'application/json' };

/** Plans the deliveries of events to bots' webhooks, in the relay's planning transaction. */
export async function planPushes(tx: Tx, pushes: readonly NewPush[]): Promise<void> {
  const payloads: NewPayload[] = [];
  const deliveries: NewDelivery[] = [];
  for (const { spaceId, eventId, eventType, body, bots } of pushes) {
    const payload = { id: uuidv7(), spaceId, body };
    payloads.push(payload);
    for (const { id: targetId, retryProfile } of bots)
      deliveries.push({
        id: uuidv7(),
        spaceId,
        kind: PUSH,
        targetId,
        eventId,
        eventType,
        payloadId: payload.id,
        headers: HEADERS,
        retryProfile,
      });
  }
  await planDeliveries(tx, payloads, deliveries);
}

/** Returns the headers to store with a redelivered push. */
export function pushHeaders(): Record<string, string> {
  return { ...HEADERS };
}
