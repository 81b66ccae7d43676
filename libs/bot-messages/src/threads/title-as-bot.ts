import { chatErrors, titleThread } from '@tieline/conversations';
import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';

/**
 * Sets the title of a message's thread, or removes it with null: docs/agents.md#titles.
 *
 * @throws 404 no such message, or a reply; 403 the bot is not a member, archived
 */
export async function titleAsBot(
  db: Db,
  { spaceId, botId }: BotPrincipal,
  rootMessageId: string,
  title: string | null,
): Promise<void> {
  await runInTx(
    db,
    async (tx) => {
      const refusal = await titleThread(tx, { spaceId, rootMessageId, title, botId });
      if (refusal) throw chatErrors.botRefused(refusal.refused);
    },
    { spaceId, place: rootMessageId },
  );
}
