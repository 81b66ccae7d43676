import { planStatements } from '@tieline/delivery';
import type { BotPlan } from './bot-plan.js';

/** The settings of bots as of the last planned event. */
export const BOT_PLANS = planStatements<BotPlan>('bot_plans');
