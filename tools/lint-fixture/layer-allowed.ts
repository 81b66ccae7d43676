// as libs/bots/src/index.ts: nothing
import { runInTx } from '@tieline/platform/database';
import { anything } from '@tieline/conversations';

export const used = [runInTx, anything];
