import { deliveryModeOf } from '@tieline/bots';
import { runInTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import type { EgressPolicy } from '@tieline/egress';
import { invalidToken } from '@tieline/platform/http';
import { newSigningSecret } from '@tieline/platform/signing';
import type { SecretBox } from '@tieline/platform/signing';
import { v7 as uuidv7 } from 'uuid';
import type { NewCommand } from './command-body.js';
import { commandSecretPurpose } from './command-secret.js';
import { recordCommandChange } from './record-command-change.js';
import type { Requester } from './record-command-change.js';
import { callbackUrlRefused, callbackUrlRequired, commandLimitReached, nameTaken } from '../slash.errors.js';
import { COMMAND_COLUMNS } from './slash-commands.queries.js';
import type { CommandRow } from './slash-commands.queries.js';

/** Contract, Limits. */
const MAX_PER_BOT = 25;
const MAX_PER_SPACE = 100;

/** A new command, and the secret that is shown once. */
export interface RegisteredCommand {
  command: CommandRow;
  signingSecret: string;
}

/** What seals secrets, and what judges addresses. */
export interface RegistrationParts {
  box: SecretBox;
  policy: EgressPolicy;
}

/**
 * Registers a command of the calling bot (contract, "Custom slash commands").
 * @throws 400 for an address that outgoing requests may not reach, or none where the bot does not poll; 409 for a name
 *   that the space has; 402 when bot or space have all they may
 */
export async function registerCommand(
  db: Db,
  { box, policy }: RegistrationParts,
  requester: Requester,
  command: NewCommand,
): Promise<RegisteredCommand> {
  await checkCallbackUrl(policy, command.callbackUrl);
  const signingSecret = newSigningSecret();
  const id = uuidv7();
  const sealed = box.seal(signingSecret, commandSecretPurpose(id));
  return runInTx(db, async (tx) => {
    await requireDeliverable(tx, requester, command);
    await lockCommandsOfSpace(tx, requester.spaceId);
    await requireRoom(tx, requester, command.name);
    const row = await insert(tx, requester, { ...command, id, sealed });
    await recordCommandChange(tx, requester, 'slash_command.registered', row);
    return { command: row, signingSecret };
  });
}

/** Resolves names: never inside a transaction. */
async function checkCallbackUrl(policy: EgressPolicy, callbackUrl: string): Promise<void> {
  if (callbackUrl === '') return;
  const verdict = await policy.checkUrlResolved(callbackUrl);
  if (!verdict.allowed) throw callbackUrlRefused(verdict.reason);
}

/** Only a bot that polls can do without an address. Its mode is kept until the end of the transaction. */
async function requireDeliverable(
  tx: Tx,
  { spaceId, botId }: Requester,
  { callbackUrl }: NewCommand,
): Promise<void> {
  const mode = await deliveryModeOf(tx, spaceId, botId);
  if (mode === undefined) throw invalidToken();
  if (callbackUrl === '' && mode !== 'poll') throw callbackUrlRequired();
}

/** Registrations of a space one after the other, so that the caps hold. */
async function lockCommandsOfSpace(tx: Tx, spaceId: string): Promise<void> {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtext('slash_commands'), hashtext($1))`, [spaceId]);
}

/** The caller holds the lock of the space's commands. Names of deleted bots are free, and count for nothing. */
async function requireRoom(tx: Tx, { spaceId, botId }: Requester, name: string): Promise<void> {
  await tx.query(
    `DELETE FROM slash_commands c USING bots b WHERE c.space_id = $1 AND b.space_id = c.space_id AND b.id = c.bot_id AND b.deleted_at IS NOT NULL`,
    [spaceId],
  );
  const [row] = await tx.query<{ taken: number; mine: number; all: number }>(
    `SELECT count(*) FILTER (WHERE name = $3) AS taken, count(*) FILTER (WHERE bot_id = $2) AS mine, count(*) AS all
       FROM slash_commands WHERE space_id = $1`,
    [spaceId, botId, name],
  );
  if (!row || row.taken > 0) throw nameTaken();
  if (row.mine >= MAX_PER_BOT || row.all >= MAX_PER_SPACE) throw commandLimitReached();
}

async function insert(
  tx: Tx,
  { spaceId, botId }: Requester,
  command: NewCommand & { id: string; sealed: Buffer },
): Promise<CommandRow> {
  const { id, name, description, usageHint, callbackUrl, sealed } = command;
  const [row] = await tx.query<CommandRow>(
    `INSERT INTO slash_commands (space_id, id, bot_id, name, description, usage_hint, callback_url, signing_secret) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     RETURNING ${COMMAND_COLUMNS}`,
    [spaceId, id, botId, name, description, usageHint, callbackUrl, sealed],
  );
  if (!row) throw new Error('the row that was just made is gone');
  return row;
}
