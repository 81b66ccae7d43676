import { planStatements } from '@tieline/delivery';
import type { SubscriptionConfig } from './subscription-config.js';

/** The subscriptions as of the last event that was planned. */
export const OUTGOING_PLANS = planStatements<SubscriptionConfig>('outgoing_webhook_plans');
