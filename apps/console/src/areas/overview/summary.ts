import type { AdminBotView, DeliveryView, SubscriptionView } from '@tieline/sdk/api';

/** Something that events are sent to. */
export interface Target {
  id: string;
  kind: 'bot' | 'subscription';
  name: string;
  href: string | undefined;
  isActive: boolean;
  breaker: AdminBotView['breaker'];
}

/** Bots with an address and outgoing webhooks alike. */
export function targetsOf(
  bots: readonly AdminBotView[],
  subscriptions: readonly SubscriptionView[],
): Target[] {
  return [
    ...bots
      .filter((bot) => bot.event_delivery_mode === 'webhook')
      .map((bot) => ({
        id: bot.id,
        kind: 'bot' as const,
        name: bot.display_name,
        href: `/bots/${bot.id}?tab=deliveries`,
        isActive: bot.is_active,
        breaker: bot.breaker,
      })),
    ...subscriptions.map((subscription) => ({
      id: subscription.id,
      kind: 'subscription' as const,
      name: subscription.name,
      href: undefined,
      isActive: subscription.status === 'active',
      breaker: subscription.breaker,
    })),
  ];
}

/** Deliveries of one minute. */
export interface Minute {
  /** Its beginning, in milliseconds. */
  at: number;
  success: number;
  failed: number;
  waiting: number;
}

const MINUTE = 60_000;

/** Deliveries by the minute in which they were made: one entry for each of the last `count` minutes, oldest first. */
export function byMinute(
  deliveries: readonly Pick<DeliveryView, 'created_at' | 'status'>[],
  now: number,
  count = 60,
): Minute[] {
  const last = Math.floor(now / MINUTE) * MINUTE;
  const minutes = Array.from({ length: count }, (_, index) => ({
    at: last - (count - 1 - index) * MINUTE,
    success: 0,
    failed: 0,
    waiting: 0,
  }));
  const first = minutes[0]?.at ?? last;
  for (const { created_at: created, status } of deliveries) {
    const minute = minutes[Math.floor((Date.parse(created) - first) / MINUTE)];
    if (minute) minute[status === 'success' ? 'success' : status === 'dead' ? 'failed' : 'waiting'] += 1;
  }
  return minutes;
}

/** Sums over all minutes; the share of what arrived among what is decided, undefined while nothing is. */
export function totalsOf(minutes: readonly Minute[]) {
  const sum = (key: 'success' | 'failed' | 'waiting') =>
    minutes.reduce((total, minute) => total + minute[key], 0);
  const [success, failed, waiting] = [sum('success'), sum('failed'), sum('waiting')];
  return { success, failed, waiting, share: success + failed > 0 ? success / (success + failed) : undefined };
}
