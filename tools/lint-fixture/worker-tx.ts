// as libs/bots/src/dm/open-dm.ts: no-restricted-syntax
import { runInWorkerTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';

export const write = (db: Db): Promise<unknown> => runInWorkerTx(db, (tx) => tx.query('SELECT 1'));
