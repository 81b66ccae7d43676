import { Injectable } from '@nestjs/common';
import { chatEvents } from '@tieline/conversations';
import { Db, runInTx } from '@tieline/platform/database';
import { planDeliveries } from '@tieline/delivery';
import { SecretBox } from '@tieline/signing';
import { uuidv7 } from 'uuidv7';
import { withContext } from '../planning/envelope.js';
import { TEST_EVENT_TYPE } from '../planning/event-types.js';
import { thinData } from '../planning/thin-data.js';
import { OUTGOING } from '../deliveries/outgoing-kind-name.js';
import type { OutgoingWebhook } from './outgoing-webhook.entity.js';
import { lockSubscription } from './outgoing-webhooks.queries.js';
import { recordSending } from './subscription-change.js';
import type { SendingOrigin } from './subscription-change.js';
import { readLiveSecrets } from '../deliveries/read-live-secrets.js';
import { fixedHeaders, unixSeconds } from '../planning/sign-delivery.js';

const TEST_DATA = {
  message: 'This is a test delivery. If you can read it and its signature verifies, the subscription works.',
};

/** Plans test deliveries. */
@Injectable()
export class SendTestDelivery {
  constructor(
    private readonly db: Db,
    private readonly box: SecretBox,
  ) {}

  /**
   * Plans one WEBHOOK_TEST delivery, signed like any other. It has a single attempt, works for
   * inactive subscriptions and changes no failure counter.
   * @returns the delivery's id
   * @throws 404
   */
  run(
    { spaceId, id: subscriptionId }: Pick<OutgoingWebhook, 'spaceId' | 'id'>,
    by: SendingOrigin,
  ): Promise<string> {
    return runInTx(
      this.db,
      async (tx) => {
        const { includeContext, payload: wanted } = await lockSubscription(tx, spaceId, subscriptionId);
        const secrets = await readLiveSecrets(tx, this.box, subscriptionId);
        const now = new Date();
        const head = { eventId: uuidv7(), eventType: TEST_EVENT_TYPE, spaceId };
        const text = chatEvents.envelope({
          ...head,
          conversationId: '',
          threadId: '',
          actorUserId: by.origin.actorId ?? '',
          occurredAt: now.toISOString(),
          data: wanted === 'thin' ? thinData(TEST_EVENT_TYPE, TEST_DATA) : TEST_DATA,
        });
        const body = Buffer.from(
          includeContext ? withContext(text, { messages: [], context_error: false }) : text,
        );
        const payload = { id: uuidv7(), spaceId, body };
        const id = uuidv7();
        const headers = fixedHeaders({
          deliveryId: id,
          eventType: TEST_EVENT_TYPE,
          timestamp: unixSeconds(now.getTime()),
          secrets,
          body,
        });
        const delivery = {
          ...head,
          id,
          kind: OUTGOING,
          targetId: subscriptionId,
          payloadId: payload.id,
          headers,
          maxAttempts: 1,
          counts: false,
        };
        await planDeliveries(tx, [payload], [delivery]);
        await recordSending(tx, { spaceId, id: subscriptionId }, 'tested', by, { from: null, to: id });
        return id;
      },
      { spaceId, place: subscriptionId },
    );
  }
}
