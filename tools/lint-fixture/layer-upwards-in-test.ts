// as libs/platform/src/database/gate/caller-gate.int-spec.ts: no-restricted-imports
import { anything } from '@tieline/spaces/testing';

export const used = anything;
