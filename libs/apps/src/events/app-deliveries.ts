import { classifyPush, pushReadsLastFailure, signPush } from '@tieline/bots';
import type { AttemptFacts, ClaimedDelivery, DeliveryKind, DeliveryTarget } from '@tieline/delivery';
import type { Queryable } from '@tieline/platform/database';
import type { LiveSecrets, SecretBox } from '@tieline/signing';
import { APP_SIGNING_SECRET } from '../signing-secret.js';
import { APP_DELIVERY } from './app-delivery-name.js';
import { LOAD_EVENT_TARGETS } from './app-events.statements.js';

/** An app's `event_url` as the engine sees it. */
interface AppTarget extends DeliveryTarget {
  secrets: LiveSecrets;
}

/** Deliveries to the `event_url` of apps, in the form of pushes to bots (docs/push.md#requests). */
export class AppDeliveries implements DeliveryKind<AppTarget> {
  readonly name = APP_DELIVERY;
  readonly reach = 'configured';
  readonly deadLetters = null;
  readonly keepsAttemptHeaders = true;

  constructor(
    private readonly box: SecretBox,
    /** Called for an app whose secret cannot be opened with any known key. It receives nothing. */
    private readonly unreadable: (appId: string, reason: string) => void,
  ) {}

  async loadTargets(db: Queryable, ids: string[]): Promise<Map<string, AppTarget>> {
    const targets = new Map<string, AppTarget>();
    for (const { id, url, active, signingSecret } of await db.query(LOAD_EVENT_TARGETS, [ids])) {
      const current = APP_SIGNING_SECRET.tryOpen(this.box, id, signingSecret, (reason) =>
        this.unreadable(id, reason),
      );
      if (current !== undefined) targets.set(id, { url, active, secrets: { current } });
    }
    return targets;
  }

  attemptHeaders(
    delivery: ClaimedDelivery,
    { secrets }: AppTarget,
    facts: AttemptFacts,
  ): Record<string, string> {
    return signPush(delivery, secrets, facts);
  }

  readsLastFailure = pushReadsLastFailure;
  classify = classifyPush;

  settled(): Promise<void> {
    return Promise.resolve();
  }
}
