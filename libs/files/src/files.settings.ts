import { list, settings } from '@tieline/platform/config';
import type { Plan } from '@tieline/spaces';

const DEFAULT_QUOTAS = '10737418240,107374182400,1099511627776';

/** Storage quota of a space. */
export class FileQuotaSettings extends settings('File quotas', {
  given: list('FILE_BYTES_PER_SPACE', {
    shown: DEFAULT_QUOTAS,
    text: 'bytes of files per space, for the plans free, pro and enterprise; more get 409',
    check: (given) =>
      given.length === 0 || (given.length === 3 && given.every((one) => /^[1-9]\d{0,14}$/.test(one)))
        ? []
        : [`must be three whole numbers, such as ${DEFAULT_QUOTAS}`],
  }),
}) {
  /** Maximum number of bytes per space, by plan. */
  get byPlan(): Readonly<Record<Plan, number>> {
    const quotas = this.given.length > 0 ? this.given : DEFAULT_QUOTAS.split(',');
    const [free, pro, enterprise] = quotas.map(Number) as [number, number, number];
    return { free, pro, enterprise };
  }
}
