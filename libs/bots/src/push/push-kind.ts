import type { Queryable, Tx } from '@tieline/platform/database';
import type {
  AttemptFacts,
  ClaimedDelivery,
  DeliveryKind,
  DeliveryTarget,
  SettledDelivery,
  TargetKey,
} from '@tieline/delivery';
import { openLive } from '@tieline/signing';
import type { LiveSecrets, SecretBox } from '@tieline/signing';
import { BOT_WEBHOOK_SECRET } from './webhook/webhook-secret.js';
import { ExhaustedPushes } from './disable-failing-push.js';
import { LOAD_PUSH_TARGETS, PUSH_FAILURES } from './push.statements.js';
import { PUSH } from './push-kind-name.js';
import { notifyUnreachable } from './notify-unreachable.js';
import { classifyPush, pushReadsLastFailure, signPush } from './sign-push.js';

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

  attemptHeaders(
    delivery: ClaimedDelivery,
    { secrets }: PushTarget,
    facts: AttemptFacts,
  ): Record<string, string> {
    return signPush(delivery, secrets, facts);
  }

  readsLastFailure = pushReadsLastFailure;
  classify = classifyPush;

  staysUnreachable(tx: Tx, target: TargetKey): Promise<void> {
    return notifyUnreachable(tx, target);
  }

  settled(tx: Tx, results: SettledDelivery[]): Promise<void> {
    return this.exhaustion.count(tx, results);
  }
}
