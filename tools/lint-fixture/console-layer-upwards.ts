// as apps/console/src/ui/page/failure-text.ts: @typescript-eslint/no-restricted-imports
import { usePerson } from '../../app/session/session.js';

export const used = usePerson;
