import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { newSigningSecret } from '@tieline/platform/signing';
import type { SecretBox } from '@tieline/platform/signing';
import { sealSecret } from '../schema/signing/component-keys.js';
import { notConfigured } from '../interactive.errors.js';
import { recordInteractiveChange } from './record-interactive-change.js';
import type { Requester } from './record-interactive-change.js';

/** The new secret, shown once, and since when it holds. */
export interface RotatedSecret {
  signingSecret: string;
  updatedAt: Date;
}

/**
 * Gives a bot a new buttons signing secret (contract, Interactive): every button that is there dies, and later callbacks
 * are signed with the new one.
 * @throws 404 without configuration
 */
export async function rotateButtonsSecret(
  db: Db,
  box: SecretBox,
  requester: Requester,
): Promise<RotatedSecret> {
  const signingSecret = newSigningSecret();
  return runInTx(db, async (tx) => {
    const [row] = await tx.query<{ updated_at: Date }>(
      `UPDATE interactive_configs SET signing_secret = $3, generation = generation + 1, updated_at = now()
        WHERE space_id = $1 AND bot_id = $2 AND signing_secret IS NOT NULL RETURNING updated_at`,
      [requester.spaceId, requester.botId, sealSecret(box, requester.botId, signingSecret)],
    );
    if (!row) throw notConfigured();
    await recordInteractiveChange(tx, requester, 'bot.interactive_secret_rotated');
    return { signingSecret, updatedAt: row.updated_at };
  });
}
