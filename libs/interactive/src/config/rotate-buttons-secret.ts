import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { newSigningSecret, overlapping } from '@tieline/signing';
import type { SecretBox } from '@tieline/signing';
import { sealSecret } from '../schema/signing/component-keys.js';
import { notConfigured } from '../interactive.errors.js';
import { InteractiveConfig } from './interactive-config.entity.js';
import { lockConfig } from './interactive-config.queries.js';
import { recordInteractiveChange } from './record-interactive-change.js';
import type { Requester } from './record-interactive-change.js';

/**
 * The new secret, shown once, since when it holds, and until when the one before it holds as well;
 * null: not at all.
 */
export interface RotatedSecret {
  signingSecret: string;
  updatedAt: Date;
  previousExpiresAt: Date | null;
}

/**
 * Gives a bot a new buttons signing secret (contract, Interactive): all existing buttons stop
 * working, and later callbacks are signed with the new secret. For `overlapSeconds` existing
 * buttons go on working, and callbacks are signed with the old secret as well (decisions, section
 * 11.3).
 * @throws 404 without configuration
 */
export async function rotateButtonsSecret(
  db: Db,
  box: SecretBox,
  requester: Requester,
  overlapSeconds: number,
): Promise<RotatedSecret> {
  const signingSecret = newSigningSecret();
  const updatedAt = new Date();
  const previous = overlapping('signing_secret', overlapSeconds, updatedAt);
  await runInTx(
    db,
    async (tx) => {
      const { spaceId, botId } = requester;
      const before = await lockConfig(tx, spaceId, botId);
      if (!before?.signingSecret) throw notConfigured();
      await tx.manager.update(
        InteractiveConfig,
        { spaceId, botId },
        {
          ...previous,
          signingSecret: sealSecret(box, botId, signingSecret),
          generation: before.generation + 1,
          updatedAt,
        },
      );
      await recordInteractiveChange(tx, requester, 'bot.interactive_secret_rotated');
    },
    { spaceId: requester.spaceId, place: requester.botId },
  );
  return { signingSecret, updatedAt, previousExpiresAt: previous.previousSecretExpiresAt };
}
