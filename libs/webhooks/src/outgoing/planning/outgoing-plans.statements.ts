import { planStatements } from '@tieline/delivery';
import type { SubscriptionConfig } from './subscription-config.js';

/** Stores the subscriptions as of the last planned event. */
export const OUTGOING_PLANS = planStatements<SubscriptionConfig>('outgoing_webhook_plans');
