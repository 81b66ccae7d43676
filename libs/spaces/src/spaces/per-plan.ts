import { list } from '@tieline/platform/config';
import type { Setting } from '@tieline/platform/config';
import { PLANS } from './space.js';
import type { Plan } from './space.js';

const LARGEST = 1_000_000;

/** A number for each plan, such as `5,20,100` for free, pro, enterprise. */
export function perPlan(
  name: string,
  { shown, text }: { shown: string; text: string },
): Setting<Readonly<Record<Plan, number>>> {
  const given = list(name, {
    shown,
    text: `${text}, for the plans free, pro and enterprise`,
    check: (values) =>
      values.length === 0 || (values.length === PLANS.length && values.every(isNumber))
        ? []
        : [`must be three whole numbers from 1 to ${LARGEST}, such as ${shown}`],
  });
  return {
    ...given,
    read(environment, report) {
      const values = given.read(environment, report);
      const [free, pro, enterprise] = (values.length > 0 ? values : shown.split(',')).map(Number);
      return { free, pro, enterprise } as Record<Plan, number>;
    },
  };
}

function isNumber(text: string): boolean {
  return /^[1-9]\d*$/.test(text) && Number(text) <= LARGEST;
}
