import type { Approval } from '../approval.js';
import type { ApprovalState } from '../states/approval.states.js';

/** `kind` of the metadata of cards. Bots cannot send it. */
const CARD_KIND = 'approval';

const STATE_TEXTS: Readonly<Record<ApprovalState, string>> = {
  pending: 'Waiting for approval',
  approved: 'Approved',
  denied: 'Denied',
  answered: 'Answered',
  expired: 'Expired',
  cancelled: 'Cancelled',
};

type Shown = Pick<Approval, 'id' | 'title' | 'text' | 'state' | 'decisions'>;

/**
 * Returns the text of a card's message, for clients that do not draw cards. It never contains the
 * arguments, because bots and subscriptions read messages.
 */
export function cardText({ title, text, state, decisions }: Shown): string {
  const isByRule = decisions.some(({ via }) => via === 'rule');
  const ending = isByRule ? `${STATE_TEXTS[state]} by a rule` : STATE_TEXTS[state];
  return [title, ...(text === '' ? [] : [text]), ending].join('\n\n');
}

/** Returns the metadata of a card's message. Clients fetch the approval by its id. */
export function cardMetadata({ id, state }: Pick<Approval, 'id' | 'state'>): string {
  return JSON.stringify({ kind: CARD_KIND, approval_id: id, state });
}
