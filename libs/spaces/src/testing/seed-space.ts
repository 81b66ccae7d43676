import { runInWorkerTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { createSpace } from '../spaces/create-space.js';
import { insertUser } from '../users/create-user.js';
import type { Origin } from '../audit-log/record-change.js';
import type { Role } from '../users/roles.js';
import type { Plan } from '../spaces/space.js';

/** A person of a {@link SeededSpace}. */
export interface SeededPerson {
  id: string;
  token: string;
}

/** A space with people for a test. */
export interface SeededSpace {
  spaceId: string;
  owner: SeededPerson;
  /** Adds a person to the space. */
  person(role: Role, displayName?: string): Promise<SeededPerson>;
}

const ORIGIN: Origin = { actorId: null, actorType: 'operator', ip: null };

/** Creates a space with its owner directly in the database, as the operator's endpoint would. */
export async function seedSpace(
  db: Db,
  { name = 'Acme', plan = 'free' }: { name?: string; plan?: Plan } = {},
): Promise<SeededSpace> {
  const { space, owner, ownerToken } = await createSpace(db, { name, plan }, ORIGIN);
  return {
    spaceId: space.id,
    owner: { id: owner.id, token: ownerToken },
    async person(role, displayName = `A ${role}`) {
      const fields = { spaceId: space.id, displayName, role };
      const { user, token } = await runInWorkerTx(db, (tx) => insertUser(tx, fields, ORIGIN));
      return { id: user.id, token };
    },
  };
}
