import { noClockInWhere } from './no-clock-in-where.mjs';
import { noLimitedIn } from './no-limited-in.mjs';
import { noKeyBytes } from './no-key-bytes.mjs';
import { noModuleState } from './no-module-state.mjs';
import { plainEnglish } from './plain-english.mjs';

/** Our own rules, as a plugin of ESLint. */
export const house = {
  rules: {
    'no-clock-in-where': noClockInWhere,
    'no-limited-in': noLimitedIn,
    'no-key-bytes': noKeyBytes,
    'no-module-state': noModuleState,
    'plain-english': plainEnglish,
  },
};
