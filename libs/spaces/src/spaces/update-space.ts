import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { notFound } from '@tieline/platform/http';
import { auditedOf, changesOf } from '@tieline/platform/resource';
import { changesBetween, recordChange } from '../audit-log/record-change.js';
import type { Origin } from '../audit-log/record-change.js';
import { Space } from './space.entity.js';
import { SPACE } from './space.js';
import type { SpaceSettings } from './space.js';

/**
 * Changes a space. Absent fields stay. The tokens of a disabled space are refused from the next
 * request on.
 * @throws 404 when it is unknown
 */
export function updateSpace(
  db: Db,
  spaceId: string,
  wanted: Partial<SpaceSettings>,
  origin: Origin,
): Promise<Space> {
  return runInTx(
    db,
    async (tx) => {
      const space = await tx.manager.findOne(Space, {
        where: { id: spaceId },
        lock: { mode: 'for_no_key_update' },
      });
      if (!space) throw notFound();
      const changed = changesOf<SpaceSettings>(space, wanted);
      if (Object.keys(changed).length === 0) return space;
      await tx.manager.update(Space, { id: spaceId }, changed);
      const after: Space = { ...space, ...changed };
      await recordChange(tx, {
        ...origin,
        spaceId,
        action: 'space.updated',
        objectType: 'space',
        objectId: spaceId,
        changes: changesBetween(auditedOf(SPACE, space), auditedOf(SPACE, after)),
      });
      return after;
    },
    { spaceId, place: 'space' },
  );
}
