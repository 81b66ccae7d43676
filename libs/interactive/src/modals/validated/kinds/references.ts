import { isUuid } from '@tieline/platform/http';
import type { FieldKind } from './field-kind.js';

/** The id of an object. `check-references.ts` checks that the object exists. */
export const reference: FieldKind = {
  attributes: [],
  read: (given) =>
    typeof given === 'string' && isUuid(given) ? { value: given.toLowerCase() } : { error: 'Must be an id.' },
};
