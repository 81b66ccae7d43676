import { int, list, settings } from '@tieline/platform/config';
import type { Plan } from '@tieline/spaces';

/** Incoming webhooks. */
export class IncomingWebhookSettings extends settings('Incoming webhooks', {
  autoDisableThreshold: int('INCOMING_AUTO_DISABLE_THRESHOLD', {
    default: 100,
    min: 1,
    max: 1_000_000,
    text: 'failures in a row that switch an [incoming webhook](incoming-webhooks.md) off',
  }),
}) {}

const DEFAULT_RATES = '5,20,100';

/** How fast subscriptions get their deliveries (decisions, section 4). */
export class OutgoingRateSettings extends settings('Outgoing webhooks', {
  given: list('RATE_DELIVERIES_PER_SECOND', {
    shown: DEFAULT_RATES,
    text: 'deliveries per second to one subscription, on the plans free, pro and enterprise; pushes to bots have no such rate',
    check: (given) =>
      given.length === 0 || (given.length === 3 && given.every(isRate))
        ? []
        : [`must be three whole numbers from 1 to 1000000, such as ${DEFAULT_RATES}`],
  }),
}) {
  /** Deliveries per second to one subscription, by the space's plan. */
  get byPlan(): Readonly<Record<Plan, number>> {
    const rates = this.given.length > 0 ? this.given : DEFAULT_RATES.split(',');
    const [free, pro, enterprise] = rates.map(Number) as [number, number, number];
    return { free, pro, enterprise };
  }
}

function isRate(text: string): boolean {
  return /^[1-9]\d*$/.test(text) && Number(text) <= 1_000_000;
}
