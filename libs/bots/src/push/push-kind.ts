import type { Queryable, Tx } from '@tieline/platform/database';
import type {
  AttemptFacts,
  ClaimedDelivery,
  DeliveryKind,
  DeliveryTarget,
  SettledDelivery,
  TargetKey,
} from '@tieline/delivery';
import { openLive, serviceSignatures, signDottedV1, signStandardWebhookLive } from '@tieline/signing';
import type { LiveSecrets, SecretBox } from '@tieline/signing';
import { BOT_WEBHOOK_SECRET } from './webhook/webhook-secret.js';
import { ExhaustedPushes } from './disable-failing-push.js';
import { LOAD_PUSH_TARGETS, PUSH_FAILURES } from './push.statements.js';
import { PUSH } from './push-kind-name.js';
import { notifyUnreachable } from './notify-unreachable.js';

// Only for the type: the engine never sends a delivery without a body.
const NO_BYTES = Buffer.alloc(0);

/** A bot's webhook as the engine sees it. */
export interface PushTarget extends DeliveryTarget {
  secrets: LiveSecrets;
}

/** Deliveries to bots' webhooks (docs/push.md#requests). */
export class PushDeliveries implements DeliveryKind<PushTarget> {
  readonly name = PUSH;
  readonly reach = 'configured';
  readonly deadLetters = PUSH_FAILURES;
  readonly exhaustion: ExhaustedPushes;
  readonly keepsAttemptHeaders = true;

  constructor(
    private readonly box: SecretBox,
    autoDisableThreshold: number,
    /**
     * Called for a bot whose secret cannot be opened with any known key. It receives nothing until
     * its secret is rotated.
     */
    private readonly unreadable: (botId: string, reason: string) => void,
  ) {
    this.exhaustion = new ExhaustedPushes(autoDisableThreshold);
  }

  /**
   * Loads the given bots. Deleted bots are missing; bots that are disabled, in another mode or in
   * an inactive space are inactive. Plans do not limit their rate.
   */
  async loadTargets(db: Queryable, ids: string[]): Promise<Map<string, PushTarget>> {
    const targets = new Map<string, PushTarget>();
    for (const { id, url, active, webhookSecret, previousSecret } of await db.query(LOAD_PUSH_TARGETS, [
      ids,
    ])) {
      const secrets = openLive(webhookSecret, previousSecret, (sealed) =>
        BOT_WEBHOOK_SECRET.tryOpen(this.box, id, sealed, (reason) => this.unreadable(id, reason)),
      );
      if (secrets) targets.set(id, { url, active, secrets });
    }
    return targets;
  }

  /**
   * Signs every attempt with the live secrets, in the X-Service scheme and as Standard Webhooks
   * (docs/push.md#verify-the-signature).
   */
  attemptHeaders(
    { id, body }: ClaimedDelivery,
    { secrets }: PushTarget,
    { attempt, now }: AttemptFacts,
  ): Record<string, string> {
    const timestamp = Math.floor(now.getTime() / 1000);
    const bytes = body ?? NO_BYTES;
    return {
      'X-Service-Timestamp': String(timestamp),
      ...serviceSignatures(secrets, (secret) => signDottedV1(secret, timestamp, bytes)),
      'X-Service-Attempt': String(attempt),
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signStandardWebhookLive(secrets, id, timestamp, bytes),
    };
  }

  /**
   * 3xx and 4xx (including 408) are dead immediately; 429 and 5xx are retried
   * (docs/push.md#responses).
   */
  classify(status: number): 'success' | 'retry' | 'dead' {
    if (status >= 200 && status < 300) return 'success';
    return status >= 500 || status === 429 ? 'retry' : 'dead';
  }

  staysUnreachable(tx: Tx, target: TargetKey): Promise<void> {
    return notifyUnreachable(tx, target);
  }

  settled(tx: Tx, results: SettledDelivery[]): Promise<void> {
    return this.exhaustion.count(tx, results);
  }
}
