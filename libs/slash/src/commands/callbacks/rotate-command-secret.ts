import { Injectable } from '@nestjs/common';
import type { ChangedBot } from '@tieline/bots';
import { Db, runInTx } from '@tieline/platform/database';
import { newSigningSecret, NO_PREVIOUS_SECRET, overlapping, SecretBox } from '@tieline/signing';
import type { RotatedSecret } from '@tieline/signing';
import { isActiveNow, requireMode } from './command-callback.js';
import type { CommandRef } from '../command-ref.js';
import { COMMAND_SECRET } from './command-secret.js';
import { recordCommandChange } from '../record-command-change.js';
import { SlashCommand } from '../slash-command.entity.js';
import { lockCommand } from '../slash-commands.queries.js';

/** Rotates the secrets of commands. */
@Injectable()
export class RotateCommandSecret {
  constructor(
    private readonly db: Db,
    private readonly box: SecretBox,
  ) {}

  /**
   * Replaces a command's secret. For `overlapSeconds` callbacks are signed with the replaced secret
   * as well. An even older secret stops signing, so that at most two are valid.
   * @throws 404 if the bot has no such command
   */
  async run(bot: ChangedBot, ref: CommandRef, overlapSeconds: number): Promise<RotatedSecret> {
    const signingSecret = newSigningSecret();
    return runInTx(
      this.db,
      async (tx) => {
        const mode = await requireMode(tx, bot);
        const command = await lockCommand(tx, bot, ref);
        const { spaceId, id } = command;
        const updatedAt = new Date();
        const sealed = COMMAND_SECRET.seal(this.box, id, signingSecret);
        // After a reset of the bot there is no old secret to overlap with.
        const previous = command.signingSecret
          ? overlapping('signing_secret', overlapSeconds, updatedAt)
          : NO_PREVIOUS_SECRET;
        const isActive = isActiveNow({ ...command, signingSecret: sealed }, mode);
        await tx.manager.update(
          SlashCommand,
          { spaceId, id },
          { ...previous, signingSecret: sealed, isActive, updatedAt },
        );
        await recordCommandChange(tx, bot, { action: 'slash_command.secret_rotated' }, command);
        return { signingSecret, updatedAt, previousExpiresAt: previous.previousSecretExpiresAt };
      },
      { spaceId: bot.spaceId, place: 'commands' },
    );
  }
}
