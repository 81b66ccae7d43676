import type { Db, Tx } from '@tieline/platform/database';
import type { ClaimedDelivery, DeliveryKind, DeliveryTarget, SettledDelivery } from '@tieline/delivery';
import webPush from 'web-push';
import { WEB_PUSH } from './plan-web-pushes.js';
import { END_GONE, LOAD_PUSH_TARGETS } from './push.statements.js';
import type { VapidKeys } from './vapid-keys.js';

/** A token of a push service is good for twelve hours; a fresh one is made every hour. */
const TOKEN_MS = 3_600_000;

/**
 * Pushes to people's devices by Web Push (RFC 8030), through the same engine as all that is sent.
 */
export class WebPushDeliveries implements DeliveryKind {
  readonly name = WEB_PUSH;
  readonly reach = 'public';
  private keys: VapidKeys | undefined;
  private readonly tokens = new Map<string, { authorization: string; until: number }>();

  /** @param subject an https: or mailto: address at which a push service finds who runs this */
  constructor(
    private readonly readKeys: (db: Db) => Promise<VapidKeys>,
    private readonly subject: string,
  ) {}

  async loadTargets(db: Db, ids: string[]): Promise<Map<string, DeliveryTarget>> {
    this.keys ??= await this.readKeys(db);
    const rows = await db.query(LOAD_PUSH_TARGETS, [ids]);
    return new Map(rows.map(({ id, url, active }) => [id, { url, active }]));
  }

  /** Who sends it (RFC 8292). The headers of the message itself are stored. */
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
    if (!this.keys) throw new Error('targets are loaded before they are sent to');
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
 * What push services are told about who runs this: PUBLIC_URL where it is HTTPS, else an address of
 * its host.
 */
export function vapidSubject(publicUrl: string): string {
  return publicUrl.startsWith('https://') ? publicUrl : `mailto:tieline@${new URL(publicUrl).hostname}`;
}
