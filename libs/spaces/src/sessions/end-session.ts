import { signalAccessChange } from '@tieline/live';
import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { notFound } from '@tieline/platform/http';
import { IsNull } from 'typeorm';
import type { FindOptionsWhere } from 'typeorm';
import type { UserPrincipal } from '@tieline/platform/http';
import { Session } from './session.entity.js';

/**
 * Ends one session of a person, by its id or the hash of its token, and its streams. @throws 404
 * when it has ended, or is another person's
 */
export async function endSession(
  db: Db,
  { spaceId, userId }: UserPrincipal,
  which: Pick<FindOptionsWhere<Session>, 'id' | 'tokenHash'>,
): Promise<void> {
  await runInTx(
    db,
    async (tx) => {
      const gone = await tx.manager.delete(Session, { spaceId, userId, ...which });
      if (gone.affected === 0) throw notFound();
      await signalAccessChange(tx, userId);
    },
    { spaceId, place: userId },
  );
}

/**
 * Ends a session of the operator, by its id or the hash of its token. @throws 404 when it has ended
 */
export async function endOperatorSession(
  db: Db,
  which: Pick<FindOptionsWhere<Session>, 'id' | 'tokenHash'>,
): Promise<void> {
  const gone = await db.manager.delete(Session, { userId: IsNull(), ...which });
  if (gone.affected === 0) throw notFound();
}
