import { planStatements } from '@tieline/delivery';
import type { BotPlan } from './bot-plan.js';

/** The bots as of the last event that was planned. */
export const BOT_PLANS = planStatements<BotPlan>('bot_plans');
