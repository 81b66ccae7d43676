import { Injectable } from '@nestjs/common';
import { Db, runInTx } from '@tieline/platform/database';
import { auditedOf, withDefaults } from '@tieline/platform/resource';
import { changesBetween, recordChange } from '@tieline/spaces';
import type { Origin } from '@tieline/spaces';
import { v7 as uuidv7 } from 'uuid';
import { @NOUN@ } from './@noun-@.js';
import type { New@Noun@ } from './@noun-@.js';
import { @Noun@ } from './@noun-@.entity.js';

/** Creates @nouns@. */
@Injectable()
export class Create@Noun@ {
  constructor(private readonly db: Db) {}

  /** Creates a @noun-@ and writes it to the audit log. */
  run(spaceId: string, given: New@Noun@, origin: Origin): Promise<@Noun@> {
    const settings = withDefaults(@NOUN@, given);
    const @noun@: @Noun@ = { ...settings, spaceId, id: uuidv7(), createdAt: new Date() };
    return runInTx(
      this.db,
      async (tx) => {
        await tx.manager.insert(@Noun@, @noun@);
        await recordChange(tx, {
          ...origin,
          spaceId,
          action: '@noun_@.created',
          objectType: '@noun_@',
          objectId: @noun@.id,
          changes: changesBetween(null, auditedOf(@NOUN@, settings)),
        });
        return @noun@;
      },
      { spaceId, place: '@nouns@' },
    );
  }
}
