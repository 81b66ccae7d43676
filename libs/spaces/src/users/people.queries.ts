import type { Db } from '@tieline/platform/database';
import { hasScope, notFound } from '@tieline/platform/http';
import type { BotPrincipal, Page, PageQuery } from '@tieline/platform/http';
import { findSpace } from '../spaces/spaces.queries.js';
import { personView } from './people.view.js';
import type { PersonView } from './people.view.js';
import { findUser, listUsers } from './users.queries.js';
import { ACTIVE_USER_BY_EMAIL } from './users.statements.js';

/*
 * The people of a space as bots see them: with e-mail addresses only if the space allows that and
 * the token has the scope `users:read.email`.
 */

/** A bot, or an app with the token of a person. */
type Viewer = Pick<BotPrincipal, 'spaceId' | 'scopes'>;

/**
 * Returns people, active or not, newest first; with `q` those whose name has it. @throws 400 for a
 * bad cursor
 */
export async function listPeople(
  db: Db,
  bot: Viewer,
  page: PageQuery & { q?: string },
): Promise<Page<PersonView>> {
  const seesEmails = await mayReadEmails(db, bot);
  const { rows, nextCursor } = await listUsers(db, bot.spaceId, page);
  return { rows: rows.map((user) => personView(user, seesEmails)), nextCursor };
}

/** Returns one person, active or not. @throws 404 when unknown in the space */
export async function findPerson(db: Db, bot: Viewer, id: string): Promise<PersonView> {
  const seesEmails = await mayReadEmails(db, bot);
  return personView(await findUser(db, bot.spaceId, id), seesEmails);
}

/**
 * Returns the active person with that address, in any letter case; of several the oldest.
 * @throws 404 when there is none, and always if bots may not see addresses
 */
export async function findPersonByEmail(db: Db, bot: BotPrincipal, email: string): Promise<PersonView> {
  const [found] = await db.query(ACTIVE_USER_BY_EMAIL, [bot.spaceId, email]);
  if (!found) throw notFound();
  return findPerson(db, bot, found.id);
}

async function mayReadEmails(db: Db, { spaceId, scopes }: Viewer): Promise<boolean> {
  const { botsSeeEmails } = await findSpace(db, spaceId);
  return botsSeeEmails && hasScope(scopes, 'users:read.email');
}
