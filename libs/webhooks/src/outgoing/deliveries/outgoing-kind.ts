import type { Db, Tx } from '@tieline/platform/database';
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
import { LOAD_TARGETS } from './outgoing-deliveries.statements.js';
import { OUTGOING } from './outgoing-kind-name.js';
import { tellUnreachable } from './tell-unreachable.js';
import { tryOpenSecrets } from '../subscriptions/outgoing-secret.js';
import { unixSeconds } from '../planning/sign-delivery.js';

// The type allows for missing bytes; the engine never sends such a delivery.
const NO_BYTES = Buffer.alloc(0);
const RETRIED_4XX = new Set([408, 429]);

/** A subscription as the engine sees it. */
export interface OutgoingTarget extends DeliveryTarget {
  secrets: LiveSecrets;
}

/** Outgoing webhook deliveries (contract, section Outgoing webhook delivery). */
export class OutgoingDeliveries implements DeliveryKind<OutgoingTarget> {
  readonly name = OUTGOING;
  readonly reach = 'configured';
  readonly exhaustion: ExhaustedSubscriptions;

  constructor(
    private readonly box: SecretBox,
    autoDisableThreshold: number,
    /** Deliveries per second to one subscription, by the space's plan (decisions, section 4). */
    private readonly rates: Readonly<Record<Plan, number>>,
  ) {
    this.exhaustion = new ExhaustedSubscriptions(autoDisableThreshold);
  }

  /** Deleted subscriptions are missing; those of an inactive space are inactive. */
  async loadTargets(db: Db, ids: string[]): Promise<Map<string, OutgoingTarget>> {
    const rows = await db.query(LOAD_TARGETS, [ids]);
    const targets = new Map<string, OutgoingTarget>();
    for (const row of rows) {
      const { id, url, active, plan } = row;
      const secrets = tryOpenSecrets(this.box, row);
      // Without its secret nothing can be signed: as good as deleted, until an admin rotates it.
      if (secrets) targets.set(id, { url, active, secrets, ratePerSecond: this.rates[plan] });
    }
    return targets;
  }

  /**
   * Decisions, section 4: Standard Webhooks, signed afresh so that a late retry still verifies, and
   * the attempt's number.
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

  /** Contract, "Response handling by the service"; a 3xx is never followed and dead at once. */
  classify(status: number): 'success' | 'retry' | 'dead' {
    if (status >= 200 && status < 300) return 'success';
    return status >= 500 || RETRIED_4XX.has(status) ? 'retry' : 'dead';
  }

  staysUnreachable(tx: Tx, target: TargetKey): Promise<void> {
    return tellUnreachable(tx, target);
  }

  settled(tx: Tx, results: SettledDelivery[]): Promise<void> {
    return this.exhaustion.count(tx, results);
  }
}
