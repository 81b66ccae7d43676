import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { notFound } from '@tieline/platform/http';
import { changesBetween, recordChange } from '../audit-log/record-change.js';
import type { Origin } from '../audit-log/record-change.js';
import { Space } from './space.entity.js';
import { auditedSpace } from './spaces.view.js';

/**
 * Changes of a space: plan and `isActive` by the operator, `botsSeeEmails`,
 * `urgentApprovals`, `appsNeedApproval` and `noticesConversationId` by admins. Absent fields stay.
 */
export type SpaceChanges = Partial<
  Pick<
    Space,
    | 'name'
    | 'plan'
    | 'isActive'
    | 'botsSeeEmails'
    | 'urgentApprovals'
    | 'appsNeedApproval'
    | 'noticesConversationId'
  >
>;

/**
 * Changes a space. The tokens of a disabled space are refused from the next request on.
 * @throws 404 when it is unknown
 */
export function updateSpace(db: Db, spaceId: string, wanted: SpaceChanges, origin: Origin): Promise<Space> {
  return runInTx(
    db,
    async (tx) => {
      const space = await tx.manager.findOne(Space, {
        where: { id: spaceId },
        lock: { mode: 'for_no_key_update' },
      });
      if (!space) throw notFound();
      const {
        name = space.name,
        plan = space.plan,
        isActive = space.isActive,
        botsSeeEmails = space.botsSeeEmails,
        urgentApprovals = space.urgentApprovals,
        appsNeedApproval = space.appsNeedApproval,
        noticesConversationId = space.noticesConversationId,
      } = wanted;
      const next = {
        name,
        plan,
        isActive,
        botsSeeEmails,
        urgentApprovals,
        appsNeedApproval,
        noticesConversationId,
      };
      const changes = changesBetween(auditedSpace(space), auditedSpace(next));
      if (Object.keys(changes).length === 0) return space;
      await tx.manager.update(Space, { id: spaceId }, next);
      await recordChange(tx, {
        ...origin,
        spaceId,
        action: 'space.updated',
        objectType: 'space',
        objectId: spaceId,
        changes,
      });
      return Object.assign(space, next);
    },
    { spaceId, place: 'space' },
  );
}
