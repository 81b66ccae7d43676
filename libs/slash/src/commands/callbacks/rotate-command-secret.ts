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

/** The new secret, when it was set, and until when the old one signs as well. */
export interface RotatedCommandSecret {
  signingSecret: string;
  updatedAt: Date;
  previousSecretExpiresAt: Date | null;
}

/**
 * Replaces a command's secret. For `overlapSeconds` callbacks are signed with the replaced secret
 * as well. An even older secret stops signing, so that at most two are valid.
 * @throws 404 if the bot has no such command
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
      await recordCommandChange(tx, requester, { action: 'slash_command.secret_rotated' }, command);
      return { signingSecret, updatedAt, previousSecretExpiresAt: previous.previousSecretExpiresAt };
    },
    { spaceId: requester.spaceId, place: 'commands' },
  );
}
