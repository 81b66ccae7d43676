import type { Queryable, Tx } from '@tieline/platform/database';
import type {
  AttemptFacts,
  ClaimedDelivery,
  DeliveryKind,
  DeliveryTarget,
  SettledDelivery,
  TargetKey,
} from '@tieline/delivery';
import { signStandardWebhookLive } from '@tieline/signing';
import type { LiveSecrets, SecretBox } from '@tieline/signing';
import type { Plan } from '@tieline/spaces';
import { ExhaustedSubscriptions } from './disable-failing.js';
import { DEAD_LETTERS, LOAD_TARGETS } from './outgoing-deliveries.statements.js';
import { OUTGOING } from './outgoing-kind-name.js';
import { notifyUnreachable } from './notify-unreachable.js';
import { tryOpenSecrets } from '../subscriptions/outgoing-secret.js';
import { unixSeconds } from '../planning/sign-delivery.js';

// Satisfies the type. The engine never sends a delivery without bytes.
const NO_BYTES = Buffer.alloc(0);
const RETRIED_4XX = new Set([408, 429]);

/** A subscription as a target of the delivery engine. */
export interface OutgoingTarget extends DeliveryTarget {
  secrets: LiveSecrets;
}

/** Delivery kind of outgoing webhooks. */
export class OutgoingDeliveries implements DeliveryKind<OutgoingTarget> {
  readonly name = OUTGOING;
  readonly reach = 'configured';
  readonly deadLetters = DEAD_LETTERS;
  readonly exhaustion: ExhaustedSubscriptions;

  constructor(
    private readonly box: SecretBox,
    autoDisableThreshold: number,
    /** Deliveries per second to one subscription, by the space's plan. */
    private readonly rates: Readonly<Record<Plan, number>>,
  ) {
    this.exhaustion = new ExhaustedSubscriptions(autoDisableThreshold);
  }

  /** Loads subscriptions. Omits deleted ones. Those of an inactive space are inactive. */
  async loadTargets(db: Queryable, ids: string[]): Promise<Map<string, OutgoingTarget>> {
    const rows = await db.query(LOAD_TARGETS, [ids]);
    const targets = new Map<string, OutgoingTarget>();
    for (const row of rows) {
      const { id, url, active, plan } = row;
      const secrets = tryOpenSecrets(this.box, row);
      // Without its secret nothing can be signed. Treat it as deleted until an admin rotates the
      // secret.
      if (secrets) targets.set(id, { url, active, secrets, ratePerSecond: this.rates[plan] });
    }
    return targets;
  }

  /**
   * Returns the attempt number and the Standard Webhooks headers. Each attempt is signed again, so
   * that a late retry still verifies.
   */
  attemptHeaders(
    { id, body }: ClaimedDelivery,
    { secrets }: OutgoingTarget,
    { attempt, now }: AttemptFacts,
  ): Record<string, string> {
    const timestamp = unixSeconds(now.getTime());
    return {
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signStandardWebhookLive(secrets, id, timestamp, body ?? NO_BYTES),
      'X-Service-Attempt': String(attempt),
    };
  }

  /** Redirects are never followed and count as dead, like most 4xx. */
  classify(status: number): 'success' | 'retry' | 'dead' {
    if (status >= 200 && status < 300) return 'success';
    return status >= 500 || RETRIED_4XX.has(status) ? 'retry' : 'dead';
  }

  staysUnreachable(tx: Tx, target: TargetKey): Promise<void> {
    return notifyUnreachable(tx, target);
  }

  settled(tx: Tx, results: SettledDelivery[]): Promise<void> {
    return this.exhaustion.count(tx, results);
  }
}
