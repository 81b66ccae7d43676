import { OUTBOX } from '@tieline/delivery';
import { isUndecided } from '@tieline/platform/database';
import type { Db, ValuesOf } from '@tieline/platform/database';
import { postIfFree } from '../create-message.js';
import type { CreatedMessage } from '../create-message.js';
import { POST_MANY } from './post-many.statements.js';
import type { MessageDraft } from './posted-messages.js';

/** Result for one message of a shared statement. */
export type SharedOutcome =
  | { posted: CreatedMessage }
  /** Not stored: refused, its conversation was locked, or the shared statement failed. */
  | 'not_posted'
  /** The connection was lost, so it is unknown whether the message is stored. */
  | { lost: unknown };

/**
 * Posts ordinary messages with one statement per space, so that no transaction spans two spaces and
 * each space fails or succeeds alone.
 */
export async function postBatch(db: Db, drafts: MessageDraft[]): Promise<SharedOutcome[]> {
  const spaces = new Map<string, MessageDraft[]>();
  for (const draft of drafts) spaces.set(draft.spaceId, [...(spaces.get(draft.spaceId) ?? []), draft]);
  const outcomes = new Map<MessageDraft, SharedOutcome>();
  await Promise.all([...spaces].map(([spaceId, group]) => postInSpace(db, spaceId, group, outcomes)));
  if (outcomes.size > 0) db.emitSignal(OUTBOX, [...spaces.keys()]);
  return drafts.map((draft) => outcomes.get(draft) ?? 'not_posted');
}

async function postInSpace(
  db: Db,
  spaceId: string,
  drafts: MessageDraft[],
  outcomes: Map<MessageDraft, SharedOutcome>,
): Promise<void> {
  try {
    const [first, ...others] = drafts;
    if (first && others.length === 0) {
      const posted = await postIfFree(db, first, first.origin);
      if (posted) outcomes.set(first, { posted });
      return;
    }
    for (const { n, ...stored } of await db.query(POST_MANY, columnsOf(spaceId, drafts))) {
      const draft = drafts[n - 1] as MessageDraft;
      const { messageId, eventId, conversationId } = draft;
      outcomes.set(draft, { posted: { messageId, eventId, conversationId, ...stored } });
    }
  } catch (error) {
    if (isUndecided(error)) for (const draft of drafts) outcomes.set(draft, { lost: error });
  }
}

function columnsOf(spaceId: string, drafts: MessageDraft[]): ValuesOf<typeof POST_MANY> {
  const column = <T>(pick: (draft: MessageDraft) => T): T[] => drafts.map(pick);
  const hasTraces = drafts.some(({ origin }) => origin !== undefined);
  const hasSources = drafts.some(({ sourceJson }) => sourceJson !== undefined);
  const hasDerived = drafts.some(({ textDerived }) => textDerived);
  return {
    spaceId,
    conversationIds: column((draft) => draft.conversationId),
    authorIds: column((draft) => draft.author.id),
    authorTypes: column((draft) => draft.author.type),
    granted: column((draft) => draft.access === 'granted'),
    messageIds: column((draft) => draft.messageId),
    texts: column((draft) => draft.text),
    metadataJsons: column((draft) => draft.metadataJson ?? null),
    displayNames: column((draft) => draft.displayName ?? null),
    displayAvatarUrls: column((draft) => draft.displayAvatarUrl ?? null),
    eventIds: column((draft) => draft.eventId),
    notices: column(({ notify }) => (notify ? JSON.stringify(notify) : null)),
    traceparents: hasTraces ? column(({ origin }) => origin ?? null) : null,
    sourceJsons: hasSources ? column(({ sourceJson }) => sourceJson ?? null) : null,
    textDerived: hasDerived ? column(({ textDerived }) => textDerived || null) : null,
  };
}
