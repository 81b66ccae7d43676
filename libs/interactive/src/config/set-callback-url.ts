import { Injectable } from '@nestjs/common';
import type { ChangedBot } from '@tieline/bots';
import { EgressPolicy, urlRefused } from '@tieline/egress';
import { Db, runInTx } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { newSigningSecret, SecretBox } from '@tieline/signing';
import { sealSecret } from '../schema/signing/component-keys.js';
import { InteractiveConfig } from './interactive-config.entity.js';
import { ensureConfig, lockConfig } from './interactive-config.queries.js';
import { recordInteractiveChange } from './record-interactive-change.js';

/** Sets the callback addresses for clicks. */
@Injectable()
export class SetCallbackUrl {
  constructor(
    private readonly db: Db,
    private readonly box: SecretBox,
    private readonly policy: EgressPolicy,
  ) {}

  /**
   * Sets a bot's callback address. The first setup creates the signing secret for buttons, and
   * later changes keep it. After a DELETE the next setup is a first setup again. Existing buttons
   * keep working, including those a bot in poll mode signed with its internal key.
   * @returns the secret if this call created it
   * @throws 400 for an address that outgoing requests may not reach
   */
  async run(bot: ChangedBot, callbackUrl: string): Promise<string | undefined> {
    // Resolves DNS, so it must not run inside the transaction.
    const verdict = await this.policy.checkUrlResolved(callbackUrl);
    if (!verdict.allowed) throw urlRefused('callback_url', verdict.reason);
    const { spaceId, botId } = bot;
    return runInTx(this.db, (tx) => this.in(tx, bot, callbackUrl), { spaceId, place: botId });
  }

  /** Like {@link run}, in the caller's transaction. The caller has checked the address. */
  async in(tx: Tx, bot: ChangedBot, callbackUrl: string): Promise<string | undefined> {
    const { spaceId, botId } = bot;
    // Creates the row to lock, so that of concurrent first setups one creates the secret.
    await ensureConfig(tx, this.box, spaceId, botId);
    const before = await lockConfig(tx, spaceId, botId);
    const secret = before?.signingSecret ? undefined : newSigningSecret();
    await tx.manager.update(
      InteractiveConfig,
      { spaceId, botId },
      {
        callbackUrl,
        updatedAt: new Date(),
        ...(secret !== undefined && { signingSecret: sealSecret(this.box, botId, secret) }),
      },
    );
    await recordInteractiveChange(tx, bot, 'bot.interactive_configured', {
      before: before?.callbackUrl ?? '',
      after: callbackUrl,
    });
    return secret;
  }
}
