import { isUuid } from '@tieline/platform/http';
import type { FieldKind } from './field-kind.js';

/** The id of something; whether it is there is for `check-references.ts`. */
export const reference: FieldKind = {
  attributes: [],
  read: (given) =>
    typeof given === 'string' && isUuid(given) ? { value: given.toLowerCase() } : { error: 'Must be an id.' },
};
