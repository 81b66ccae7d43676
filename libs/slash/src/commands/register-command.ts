import { Injectable } from '@nestjs/common';
import type { BotPlace, ChangedBot } from '@tieline/bots';
import { EgressPolicy } from '@tieline/egress';
import { Db, runInTx } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import type { ApiError } from '@tieline/platform/http';
import { newSigningSecret, SecretBox } from '@tieline/signing';
import { uuidv7 } from 'uuidv7';
import type { CommandSettings } from './command.js';
import { checkCallbackUrl, requireDeliverable, requireMode } from './callbacks/command-callback.js';
import { COMMAND_SECRET } from './callbacks/command-secret.js';
import { recordCommandChange } from './record-command-change.js';
import { commandLimitReached, nameTaken } from '../slash.errors.js';
import { SlashCommand } from './slash-command.entity.js';
import {
  COUNT_COMMANDS,
  DROP_ORPHANED_COMMANDS_OF_SPACE,
  LOCK_COMMANDS_OF_SPACE,
} from './slash-commands.statements.js';

/** Limits on the number of commands. */
const MAX_PER_BOT = 25;
const MAX_PER_SPACE = 100;

/** A new command and its secret, which is returned once. */
export interface RegisteredCommand {
  command: SlashCommand;
  signingSecret: string;
}

/** Registers commands. */
@Injectable()
export class RegisterCommand {
  constructor(
    private readonly db: Db,
    private readonly box: SecretBox,
    private readonly policy: EgressPolicy,
  ) {}

  /**
   * Registers a command of the calling bot.
   * @throws 400 for an address that outgoing requests may not reach, or no address if the bot does
   *   not poll. 409 if the name is taken in the space. 402 if the bot or space has reached its
   *   limit.
   */
  async run(bot: ChangedBot, command: CommandSettings): Promise<RegisteredCommand> {
    await checkCallbackUrl(this.policy, command.callbackUrl);
    return runInTx(this.db, (tx) => this.in(tx, bot, command), { spaceId: bot.spaceId, place: 'commands' });
  }

  /** Like {@link run}, in the caller's transaction. The caller has checked the address. */
  async in(tx: Tx, bot: ChangedBot, command: CommandSettings): Promise<RegisteredCommand> {
    const { spaceId, botId } = bot;
    const signingSecret = newSigningSecret();
    const id = uuidv7();
    const sealed = COMMAND_SECRET.seal(this.box, id, signingSecret);
    const now = new Date();
    const registered = {
      ...{ ...command, spaceId, id, botId, isActive: true, previousSecretExpiresAt: null },
      ...{ createdAt: now, updatedAt: now },
    };
    requireDeliverable(await requireMode(tx, bot), command.callbackUrl);
    await tx.query(LOCK_COMMANDS_OF_SPACE, [spaceId]);
    const problem = await capacityProblem(tx, bot, command.name);
    if (problem) throw problem;
    await tx.manager.insert(SlashCommand, { ...registered, signingSecret: sealed });
    await recordCommandChange(tx, bot, { action: 'slash_command.registered' }, registered);
    return { command: registered, signingSecret };
  }
}

/**
 * Returns why the bot cannot have one more command with this name: the name is taken, or a limit is
 * reached. The caller holds the lock of the space's commands. Commands of deleted bots do not
 * count.
 */
export async function capacityProblem(
  tx: Tx,
  { spaceId, botId }: BotPlace,
  name: string,
): Promise<ApiError | undefined> {
  await tx.query(DROP_ORPHANED_COMMANDS_OF_SPACE, [spaceId]);
  const [row] = await tx.query(COUNT_COMMANDS, [spaceId, botId, name]);
  if (!row || row.taken > 0) return nameTaken();
  if (row.mine >= MAX_PER_BOT || row.all >= MAX_PER_SPACE) return commandLimitReached();
  return undefined;
}
