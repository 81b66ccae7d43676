import type { Call, Tool } from './tool.js';

const MESSAGES = {
  q: 'q',
  in: 'in',
  from: 'from',
  before: 'before',
  after: 'after',
  has: 'has',
  thread: 'thread',
  limit: 'limit',
  cursor: 'cursor',
};
const PAGE = { q: 'q', limit: 'limit', cursor: 'cursor' };
const NAMES = { q: 'q', limit: 'limit' };

const calls = (bot: Call, user: Call): Tool['calls'] => ({ bot, user });

/** Tools that find things by words. */
export const SEARCH_TOOLS: readonly Tool[] = [
  {
    name: 'search_messages',
    title: 'Search messages',
    description:
      'Finds messages that you can read by their words, newest first. All words must occur; `word*` finds words that begin so, "…" a phrase, `-word` excludes one. `q` may be empty if another argument narrows the search. Pages: pass `next_cursor` as `cursor` until it is empty.',
    effect: 'reads',
    required: [],
    calls: calls(
      { operation: 'searchMessages', fields: MESSAGES },
      { operation: 'searchMessagesAsPerson', fields: MESSAGES },
    ),
  },
  {
    name: 'search_people',
    title: 'Search people',
    description: 'Finds people by name. Mention a person with <@id>.',
    effect: 'reads',
    required: ['q'],
    calls: calls(
      { operation: 'listUsers', fields: PAGE },
      { operation: 'searchPeopleAsPerson', fields: NAMES },
    ),
  },
  {
    name: 'search_conversations',
    title: 'Search conversations',
    description: 'Finds conversations that you can read by name.',
    effect: 'reads',
    required: ['q'],
    calls: calls(
      { operation: 'listConversations', fields: PAGE },
      { operation: 'searchConversationsAsPerson', fields: NAMES },
    ),
  },
];
