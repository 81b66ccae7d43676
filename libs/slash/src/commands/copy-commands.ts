import { Injectable } from '@nestjs/common';
import type { BotPlace, ChangedBot } from '@tieline/bots';
import type { Tx } from '@tieline/platform/database';
import { changesOf, settingsOf } from '@tieline/platform/resource';
import { NO_PREVIOUS_SECRET, SecretBox } from '@tieline/signing';
import { uuidv7 } from 'uuidv7';
import { requireMode } from './callbacks/command-callback.js';
import { COMMAND_SECRET } from './callbacks/command-secret.js';
import { COMMAND } from './command.js';
import type { CommandSettings } from './command.js';
import { recordCommandChange } from './record-command-change.js';
import { capacityProblem } from './register-command.js';
import { SlashCommand } from './slash-command.entity.js';
import { LOCK_COMMANDS_OF_SPACE } from './slash-commands.statements.js';

/** A command with its secret in plain text. */
interface OpenedCommand {
  settings: CommandSettings;
  secret: string;
}

/** Copies commands between the bots of an app. */
@Injectable()
export class CopyCommands {
  constructor(private readonly box: SecretBox) {}

  /**
   * Gives a bot the active commands of another bot of its app, with their secrets, so that the app
   * verifies all callbacks in one way. A command that the bot has already is replaced. Commands
   * whose name another bot has, that exceed a limit of the space, or that cannot be delivered are
   * left out.
   */
  async in(tx: Tx, first: BotPlace, bot: ChangedBot): Promise<void> {
    const commands = await this.opened(tx, first);
    if (commands.length === 0) return;
    const mode = await requireMode(tx, bot);
    await tx.query(LOCK_COMMANDS_OF_SPACE, [bot.spaceId]);
    const own = new Map((await this.stored(tx, bot)).map((command) => [command.name, command]));
    for (const command of commands) {
      const { name, callbackUrl } = command.settings;
      if (callbackUrl === '' && mode !== 'poll') continue;
      const known = own.get(name);
      if (known) await this.replace(tx, bot, known, command);
      else if (!(await capacityProblem(tx, bot, name))) await this.add(tx, bot, command);
    }
  }

  private async add(tx: Tx, bot: ChangedBot, { settings, secret }: OpenedCommand): Promise<void> {
    const { spaceId, botId } = bot;
    const id = uuidv7();
    const now = new Date();
    const registered = {
      ...{ ...settings, spaceId, id, botId, isActive: true, previousSecretExpiresAt: null },
      ...{ createdAt: now, updatedAt: now },
    };
    const signingSecret = COMMAND_SECRET.seal(this.box, id, secret);
    await tx.manager.insert(SlashCommand, { ...registered, signingSecret });
    await recordCommandChange(tx, bot, { action: 'slash_command.registered' }, registered);
  }

  private async replace(
    tx: Tx,
    bot: ChangedBot,
    before: SlashCommand,
    { settings, secret }: OpenedCommand,
  ): Promise<void> {
    const { spaceId, id } = before;
    const changed = changesOf<CommandSettings>(before, settings);
    if (before.isActive && Object.keys(changed).length === 0 && this.secretOf(before) === secret) return;
    const after: SlashCommand = { ...before, ...changed, isActive: true, updatedAt: new Date() };
    const signingSecret = COMMAND_SECRET.seal(this.box, id, secret);
    await tx.manager.update(
      SlashCommand,
      { spaceId, id },
      { ...changed, isActive: true, updatedAt: after.updatedAt, signingSecret, ...NO_PREVIOUS_SECRET },
    );
    await recordCommandChange(tx, bot, { action: 'slash_command.updated', before }, after);
  }

  private async opened(tx: Tx, first: BotPlace): Promise<OpenedCommand[]> {
    const commands = (await this.stored(tx, first)).filter(({ isActive }) => isActive);
    return commands.flatMap((command) => {
      const secret = this.secretOf(command);
      return secret === undefined ? [] : [{ settings: settingsOf(COMMAND, command), secret }];
    });
  }

  /** Returns the secret of a command; undefined if it has none, or one of a lost key. */
  private secretOf({ id, signingSecret }: SlashCommand): string | undefined {
    return signingSecret ? COMMAND_SECRET.tryOpen(this.box, id, signingSecret, () => undefined) : undefined;
  }

  /** Returns the commands of a bot by name, with their sealed secrets. */
  private stored(tx: Tx, { spaceId, botId }: BotPlace): Promise<SlashCommand[]> {
    return tx.manager
      .createQueryBuilder(SlashCommand, 'c')
      .addSelect('c.signingSecret')
      .where({ spaceId, botId })
      .orderBy('c.name')
      .getMany();
  }
}
