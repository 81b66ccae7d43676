import type { Setting } from '@tieline/platform/config';
import { PLANS } from './space.js';
import type { Plan } from './space.js';

/** A number for each plan. */
type ByPlan = Readonly<Record<Plan, number>>;

/** What a space may have, for the plans free, pro and enterprise. */
const DEFAULTS = {
  bots: [300, 2000, 20_000],
  channels: [2000, 20_000, 200_000],
  people: [10_000, 50_000, 500_000],
  incoming_webhooks: [300, 2000, 20_000],
  subscriptions: [300, 2000, 20_000],
  file_bytes: [10 * 2 ** 30, 100 * 2 ** 30, 2 ** 40],
} as const;

/** The name of a limit of spaces. */
type LimitName = keyof typeof DEFAULTS;
/** The limits of spaces, by name and plan. */
export type SpaceLimits = Readonly<Record<LimitName, ByPlan>>;

const NAMES = Object.keys(DEFAULTS) as LimitName[];
const LARGEST = 1_000_000;
const LARGEST_BYTES = 10 ** 15;

/** Declares `SPACE_LIMITS`, such as `bots=10/50/500,people=100/1000/10000`. */
export function spaceLimits(): Setting<SpaceLimits> {
  return {
    name: 'SPACE_LIMITS',
    values: '`name=free/pro/enterprise`, comma separated',
    shownDefault: 'see [Plans](#plans)',
    text: 'what a space may have, for each plan: `bots=10/50/500,people=100/1000/10000`. Limits that are not named keep their default',
    read(environment, report) {
      const limits: Record<string, readonly number[]> = { ...DEFAULTS };
      for (const part of environment.list('SPACE_LIMITS')) {
        const [limit = '', given = ''] = part.split('=', 2).map((text) => text.trim());
        const numbers = given.split('/');
        if (!isLimit(limit)) report(`SPACE_LIMITS has no limit "${limit}", only ${NAMES.join(', ')}`);
        else if (numbers.length !== PLANS.length || !numbers.every((text) => isNumber(text, limit)))
          report(
            `SPACE_LIMITS must have three whole numbers for ${limit}, such as ${DEFAULTS[limit].join('/')}`,
          );
        else limits[limit] = numbers.map(Number);
      }
      return Object.fromEntries(NAMES.map((limit) => [limit, byPlan(limits[limit] ?? [])])) as SpaceLimits;
    },
  };
}

function isLimit(name: string): name is LimitName {
  return Object.hasOwn(DEFAULTS, name);
}

function isNumber(text: string, limit: LimitName): boolean {
  return /^[1-9]\d*$/.test(text) && Number(text) <= (limit === 'file_bytes' ? LARGEST_BYTES : LARGEST);
}

function byPlan([free = 0, pro = 0, enterprise = 0]: readonly number[]): ByPlan {
  return { free, pro, enterprise };
}
