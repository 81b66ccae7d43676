import type { Command } from 'commander';
import pg from 'pg';
import { action } from '../action.js';
import { lists } from '../resources/entries.js';
import { findByName } from '../resources/names.js';
import { EXIT } from '../output/exit-codes.js';
import { Failure } from '../output/failures.js';
import type { Session } from '../profiles/session.js';
import type { Terminal } from '../terminal/terminal.js';

/** `owner reset`: creates a new token for the owner of a space who lost theirs. */
export function addOwner(program: Command, terminal: Terminal): void {
  program
    .command('owner')
    .summary("a space's owner (the operator's)")
    .command('reset <space>')
    .summary('create a new token for an owner who lost theirs')
    .description(
      "Voids the owner's token, sessions and open invite, and makes a new token, with the operator's token. Who that is: --user, else the owner that `space create` made with this profile, else the database of DATABASE_URL is asked.",
    )
    .option('--user <id>', 'the id of a person of the space')
    .option('--save', 'sign in as them: keep the token in the profile')
    .action(action(terminal, reset));
}

async function reset(
  session: Session,
  name: string,
  { user, save }: { user?: string; save?: boolean },
): Promise<void> {
  const operator = await session.operator();
  const space = findByName('space', await lists.spaces(operator), name);
  const id =
    user ?? (await session.profile()).owners?.[space.id] ?? (await ownerInDatabase(session, space.id));
  const path = `/api/v1/operator/spaces/${space.id}/users/${id}/regenerate_token`;
  const { token } = await operator.call<{ token: string }>('POST', path);
  if (save)
    await session.keep((profile) => {
      profile.token = token;
    });
  session.printer.show({ space: space.name, user_id: id, ...(save ? { saved: true } : { token }) });
}

async function ownerInDatabase(session: Session, spaceId: string): Promise<string> {
  const { DATABASE_URL: connectionString } = session.terminal.env;
  if (!connectionString)
    throw new Failure(
      'who is the owner?',
      EXIT.usage,
      '--user <id>, or DATABASE_URL on the machine of the database',
    );
  const database = new pg.Client({ connectionString });
  await database.connect();
  try {
    const { rows } = await database.query<{ id: string }>(
      `SELECT id FROM users WHERE space_id = $1 AND role = 'owner' ORDER BY is_active DESC, created_at LIMIT 1`,
      [spaceId],
    );
    if (rows[0]) return rows[0].id;
    throw new Failure('the space has no owner', EXIT.notFound);
  } finally {
    await database.end();
  }
}
