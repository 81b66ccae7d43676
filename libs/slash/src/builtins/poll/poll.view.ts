import type { Poll } from './polls.queries.js';

const ELEMENTS_PER_BLOCK = 5;
const BAR = 10;

export const CLOSE_ACTION = 'poll_close';
const VOTE_ACTION = /^poll_vote_(\d{1,2})$/;

/** The visible fields of a poll. */
export type ShownPoll = Pick<Poll, 'creatorId' | 'question' | 'options' | 'isClosed'>;

/**
 * Returns the number (from 1) of the option that a button votes for; undefined for other buttons.
 */
export function votedOption(actionId: string): number | undefined {
  const place = VOTE_ACTION.exec(actionId)?.[1];
  return place === undefined ? undefined : Number(place);
}

/**
 * Returns the poll as plain text, for clients without blocks, previews and search. @param counts
 * votes per option
 */
export function pollText({ question, options, isClosed }: ShownPoll, counts: readonly number[]): string {
  const lines = options.map((option, index) => `${index + 1}. ${option}: ${votes(counts[index] ?? 0)}`);
  return [`${isClosed ? 'Poll (closed)' : 'Poll'}: ${question}`, ...lines].join('\n');
}

/**
 * Returns the poll as unsigned blocks: question, counts and, while it is open, buttons. Only the
 * creator sees the close button.
 */
export function pollMetadata(poll: ShownPoll, counts: readonly number[]): Readonly<Record<string, unknown>> {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const blocks = [
    { type: 'header', text: plain(poll.question) },
    {
      type: 'section',
      text: plain(
        poll.options.map((option, index) => countLine(option, index, counts[index] ?? 0, total)).join('\n'),
      ),
    },
    { type: 'context', elements: [plain(`${votes(total)}${poll.isClosed ? ' · closed' : ''}`)] },
  ];
  return { version: 1, blocks: poll.isClosed ? blocks : [...blocks, ...buttons(poll)] };
}

function buttons({ options, creatorId }: ShownPoll): unknown[] {
  const voting = options.map((option, index) => ({
    type: 'button',
    action_id: `poll_vote_${index + 1}`,
    text: `${index + 1}. ${option}`,
    data: String(index + 1),
  }));
  const closing = {
    type: 'button',
    action_id: CLOSE_ACTION,
    text: 'Close poll',
    style: 'danger',
    visibility_user_ids: [creatorId],
    confirm: {
      title: 'Close this poll?',
      text: 'No one will be able to vote anymore.',
      confirm_label: 'Close poll',
      cancel_label: 'Keep it open',
    },
  };
  const groups = [voting.slice(0, ELEMENTS_PER_BLOCK), voting.slice(ELEMENTS_PER_BLOCK), [closing]];
  return groups.filter((elements) => elements.length > 0).map((elements) => ({ type: 'actions', elements }));
}

function countLine(option: string, index: number, count: number, total: number): string {
  const share = total === 0 ? 0 : count / total;
  const filled = Math.round(share * BAR);
  return `${index + 1}. ${option}\n${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} ${votes(count)} (${Math.round(share * 100)}%)`;
}

function votes(count: number): string {
  return count === 1 ? '1 vote' : `${count} votes`;
}

function plain(text: string): { type: string; text: string } {
  return { type: 'plain_text', text };
}
