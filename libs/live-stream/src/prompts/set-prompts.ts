import { chatErrors } from '@tieline/conversations';
import { runInTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { requireBotPlace } from '../places/bot-place.js';
import type { BotPlace } from '../places/bot-place.js';
import { appendPromptsChanged } from './bot-prompts.js';
import type { BotPrompts } from './bot-prompts.js';
import type { PromptView } from './prompts.view.js';
import { REMOVE_OLDEST_PROMPTS, REMOVE_PROMPTS, REPLACE_PROMPTS } from './prompts.statements.js';

/** In this many threads of a conversation a bot has prompts: docs/agents.md#prompts. */
export const MAX_THREADS = 100;

export interface NewPrompts extends BotPlace {
  title: string | null;
  /** Empty: removes the bot's prompts. */
  prompts: PromptView[];
}

/**
 * Replaces the bot's prompts in a conversation or thread.
 *
 * @throws 403 the bot is not a member, archived; 400 no such message for a thread
 */
export async function setPrompts(db: Db, bot: BotPrincipal, given: NewPrompts): Promise<void> {
  const { spaceId } = bot;
  await runInTx(
    db,
    async (tx) => {
      for (const changed of await store(tx, bot, given)) await appendPromptsChanged(tx, changed);
    },
    { spaceId, place: given.conversationId },
  );
}

/** @returns the prompts that are new, and those that are removed, with an empty list */
async function store(
  tx: Tx,
  bot: BotPrincipal,
  { title, prompts, ...where }: NewPrompts,
): Promise<BotPrompts[]> {
  const { spaceId, botId } = bot;
  const place = await requireBotPlace(tx, bot, where);
  if (prompts.length === 0)
    return (await tx.query(REMOVE_PROMPTS, [spaceId, place.placeId, botId])).map(removed);
  const owner = { spaceId, botId };
  const stored = await tx.query(REPLACE_PROMPTS, {
    ...owner,
    ...place,
    title,
    prompts: JSON.stringify(prompts),
  });
  if (stored.length === 0) throw chatErrors.botRefused('not_member');
  const { channelId, placeId } = place;
  if (placeId === channelId) return stored;
  const old = await tx.query(REMOVE_OLDEST_PROMPTS, { ...owner, channelId, kept: MAX_THREADS });
  return [...stored, ...old.map(removed)];
}

function removed(row: BotPrompts): BotPrompts {
  return { ...row, title: null, prompts: [] };
}
