import type { AdminBotView, SubscriptionView } from '@tieline/sdk/api';

/** Something that events are sent to. */
export interface Target {
  id: string;
  kind: 'bot' | 'subscription';
  name: string;
  href: string;
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
      href: `/outgoing/${subscription.id}`,
      isActive: subscription.status === 'active',
      breaker: subscription.breaker,
    })),
  ];
}
