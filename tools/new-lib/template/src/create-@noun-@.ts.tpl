import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { changesBetween, recordChange } from '@tieline/spaces';
import type { Origin } from '@tieline/spaces';
import { v7 as uuidv7 } from 'uuid';
import { @Noun@ } from './@noun-@.entity.js';

/** Creates a @noun-@ and writes it to the audit log. */
export function create@Noun@(
  db: Db,
  spaceId: string,
  { name }: { name: string },
  origin: Origin,
): Promise<@Noun@> {
  return runInTx(
    db,
    async (tx) => {
      const @noun@: @Noun@ = { spaceId, id: uuidv7(), name, createdAt: new Date() };
      await tx.manager.insert(@Noun@, @noun@);
      await recordChange(tx, {
        ...origin,
        spaceId,
        action: '@noun_@.created',
        objectType: '@noun_@',
        objectId: @noun@.id,
        changes: changesBetween(null, { name }),
      });
      return @noun@;
    },
    { spaceId, place: '@nouns@' },
  );
}
