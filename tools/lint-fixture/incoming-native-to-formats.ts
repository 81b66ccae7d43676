// as libs/webhooks/src/incoming/native/gitlab/format.ts: @typescript-eslint/no-restricted-imports
import { FieldReader } from '../../formats/fields.js';

export const used = FieldReader;
