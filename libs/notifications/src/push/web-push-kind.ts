import type { Queryable, Tx } from '@tieline/platform/database';
import type { ClaimedDelivery, DeliveryKind, DeliveryTarget, SettledDelivery } from '@tieline/delivery';
import webPush from 'web-push';
import { WEB_PUSH } from './plan-web-pushes.js';
import { END_GONE, LOAD_PUSH_TARGETS } from './push.statements.js';
import type { VapidKeys } from './vapid-keys.js';

/** Lifetime of a cached token in milliseconds. Push services accept a token for twelve hours. */
const TOKEN_MS = 3_600_000;

/** Sends pushes to people's devices by Web Push (RFC 8030), through the delivery engine. */
export class WebPushDeliveries implements DeliveryKind {
  readonly name = WEB_PUSH;
  readonly reach = 'public';
  readonly deadLetters = null;
  private keys: VapidKeys | undefined;
  private readonly tokens = new Map<string, { authorization: string; until: number }>();

  /** @param subject an https: or mailto: address where a push service can reach the operator */
  constructor(
    private readonly readKeys: () => Promise<VapidKeys>,
    private readonly subject: string,
  ) {}

  async loadTargets(db: Queryable, ids: string[]): Promise<Map<string, DeliveryTarget>> {
    this.keys ??= await this.readKeys();
    const rows = await db.query(LOAD_PUSH_TARGETS, [ids]);
    return new Map(rows.map(({ id, url, active }) => [id, { url, active }]));
  }

  /** Adds the sender's identification (RFC 8292). The message's own headers are stored. */
  attemptHeaders(
    _delivery: ClaimedDelivery,
    { url }: DeliveryTarget,
    { now }: { now: Date },
  ): Record<string, string> {
    return { Authorization: this.tokenFor(new URL(url).origin, now.getTime()) };
  }

  classify(status: number): 'success' | 'retry' | 'dead' {
    if (status >= 200 && status < 300) return 'success';
    return status >= 500 || status === 429 ? 'retry' : 'dead';
  }

  async settled(tx: Tx, results: SettledDelivery[]): Promise<void> {
    const dead = results.filter(({ outcome }) => outcome === 'dead');
    if (dead.length > 0)
      await tx.query(END_GONE, [
        dead.map(({ deliveryId }) => deliveryId),
        dead.map(({ targetId }) => targetId),
      ]);
  }

  private tokenFor(origin: string, now: number): string {
    const known = this.tokens.get(origin);
    if (known && known.until > now) return known.authorization;
    if (!this.keys) throw new Error('targets must be loaded before anything is sent');
    const { Authorization: authorization } = webPush.getVapidHeaders(
      origin,
      this.subject,
      this.keys.publicKey,
      this.keys.privateKey,
      'aes128gcm',
    );
    if (this.tokens.size > 1000) this.tokens.clear();
    this.tokens.set(origin, { authorization, until: now + TOKEN_MS });
    return authorization;
  }
}

/**
 * Returns the contact of the operator for push services: PUBLIC_URL if it is HTTPS, otherwise a
 * mail address at its host.
 */
export function vapidSubject(publicUrl: string): string {
  return publicUrl.startsWith('https://') ? publicUrl : `mailto:tieline@${new URL(publicUrl).hostname}`;
}
