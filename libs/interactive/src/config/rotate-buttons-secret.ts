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
 * The new secret, when it was set, and when the previous one expires. `previousExpiresAt` is null
 * if there is no overlap.
 */
export interface RotatedSecret {
  signingSecret: string;
  updatedAt: Date;
  previousExpiresAt: Date | null;
}

/**
 * Replaces a bot's signing secret for buttons: existing buttons stop working, and later callbacks
 * are signed with the new secret. During `overlapSeconds` existing buttons keep working, and
 * callbacks are signed with both secrets.
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
