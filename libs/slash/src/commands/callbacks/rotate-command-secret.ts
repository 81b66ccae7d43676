import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { newSigningSecret, NO_PREVIOUS_SECRET, overlapping } from '@tieline/signing';
import type { SecretBox } from '@tieline/signing';
import { isActiveNow, requireMode } from './command-callback.js';
import type { CommandRef } from '../command-ref.js';
import { commandSecretPurpose } from './command-secret.js';
import { recordCommandChange } from '../record-command-change.js';
import type { Requester } from '../record-command-change.js';
import { SlashCommand } from '../slash-command.entity.js';
import { lockCommand } from '../slash-commands.queries.js';

/** The new secret, shown once, since when it holds, and until when the old one signs beside it. */
export interface RotatedCommandSecret {
  signingSecret: string;
  updatedAt: Date;
  previousSecretExpiresAt: Date | null;
}

/**
 * Gives a command a new secret (decisions, sections 11.3 and 11.5). For `overlapSeconds` callbacks
 * are signed with the one that it replaces as well; an earlier one that still signed is gone, for
 * two live at most.
 * @throws 404 when the bot has no such command
 */
export async function rotateCommandSecret(
  db: Db,
  box: SecretBox,
  requester: Requester,
  ref: CommandRef,
  overlapSeconds: number,
): Promise<RotatedCommandSecret> {
  const signingSecret = newSigningSecret();
  return runInTx(
    db,
    async (tx) => {
      const mode = await requireMode(tx, requester);
      const command = await lockCommand(tx, requester, ref);
      const { spaceId, id } = command;
      const updatedAt = new Date();
      const sealed = box.seal(signingSecret, commandSecretPurpose(id));
      // A bot that was reset has left nothing to overlap with.
      const previous = command.signingSecret
        ? overlapping('signing_secret', overlapSeconds, updatedAt)
        : NO_PREVIOUS_SECRET;
      const isActive = isActiveNow({ ...command, signingSecret: sealed }, mode);
      await tx.manager.update(
        SlashCommand,
        { spaceId, id },
        { ...previous, signingSecret: sealed, isActive, updatedAt },
      );
      await recordCommandChange(tx, requester, { action: 'slash_command.secret_rotated' }, command);
      return { signingSecret, updatedAt, previousSecretExpiresAt: previous.previousSecretExpiresAt };
    },
    { spaceId: requester.spaceId, place: 'commands' },
  );
}
