import type { Db } from '@tieline/platform/database';
import { notFound } from '@tieline/platform/http';
import type { Page, PageQuery } from '@tieline/platform/http';
import { findSpace } from '../spaces/spaces.queries.js';
import { personView } from './people.view.js';
import type { PersonView } from './people.view.js';
import { findUser, listUsers } from './users.queries.js';
import { ACTIVE_USER_BY_EMAIL } from './users.statements.js';

/* The people of a space as bots see them: with e-mail addresses only if the space allows that. */

/**
 * Returns people, active or not, newest first; with `q` those whose name has it. @throws 400 for a
 * bad cursor
 */
export async function listPeople(
  db: Db,
  spaceId: string,
  page: PageQuery & { q?: string },
): Promise<Page<PersonView>> {
  const { botsSeeEmails } = await findSpace(db, spaceId);
  const { rows, nextCursor } = await listUsers(db, spaceId, page);
  return { rows: rows.map((user) => personView(user, botsSeeEmails)), nextCursor };
}

/** Returns one person, active or not. @throws 404 when unknown in the space */
export async function findPerson(db: Db, spaceId: string, id: string): Promise<PersonView> {
  const { botsSeeEmails } = await findSpace(db, spaceId);
  return personView(await findUser(db, spaceId, id), botsSeeEmails);
}

/**
 * Returns the active person with that address, in any letter case; of several the oldest.
 * @throws 404 when there is none, and always if bots may not see addresses
 */
export async function findPersonByEmail(db: Db, spaceId: string, email: string): Promise<PersonView> {
  const [found] = await db.query(ACTIVE_USER_BY_EMAIL, [spaceId, email]);
  if (!found) throw notFound();
  return findPerson(db, spaceId, found.id);
}
