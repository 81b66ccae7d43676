import { statement } from '@tieline/platform/database';
import { describePlans } from '@tieline/testing';
import { FIND_CONVERSATION } from './conversation.statements.js';
import { READ_CHANGED_HISTORY, READ_CONTEXT, READ_HISTORY } from './messages/history/history.statements.js';
import { FIND_MEMBERSHIP } from './access/membership.statements.js';
import { FIND_MESSAGE, FIND_MESSAGES_TO_CHANGE, STORE_EDITS } from './messages/stored-message.statements.js';
import { THREADS_OF_MESSAGES } from './messages/threads/thread.statements.js';
import { POST_IF_FREE } from './messages/message.statements.js';
import { POST_MANY } from './messages/posting/post-many.statements.js';

const SPACE = '00000000-0000-7000-8000-000000000001';
const PREFIX = '0190d5e0-0000-7000-8000-';
/** Returns the n-th id of any table. */
const id = (n: number): string => `${PREFIX}${n.toString(16).padStart(12, '0')}`;
const nth = (n: string): string => `('${PREFIX}' || lpad(to_hex(${n}), 12, '0'))::uuid`;

const BIG = id(1);
const NEWEST = 300_000;
const AT = (n: number): string => new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString();

// One conversation has 300,000 messages, one second apart; one in 1,000 was changed a month after
// it was sent.
const FILL = `
  INSERT INTO spaces (id, name) VALUES ('${SPACE}', 'Space');
  INSERT INTO conversations (space_id, id, type, scope, created_by, bot_ids, last_msg_index, last_changed_at)
    SELECT '${SPACE}', ${nth('n')}, 'channel', 'private', '${id(1)}', '{}', CASE WHEN n = 1 THEN ${NEWEST} ELSE 0 END, '2026-02-01' FROM generate_series(1, 50000) n;
  INSERT INTO conversation_members (space_id, conversation_id, member_id, member_type)
    SELECT '${SPACE}', ${nth('n % 1000 + 1')}, ${nth('n / 1000 + 1')}, 'user' FROM generate_series(0, 199999) n;
  INSERT INTO messages (space_id, id, conversation_id, msg_index, author_id, author_type, text, sent_at, changed_at)
    SELECT '${SPACE}', ${nth('n')}, '${BIG}', n, '${id(1)}', 'user', 'hello', '${AT(0)}'::timestamptz + n * interval '1 second',
      CASE WHEN n % 1000 = 0 THEN '${AT(0)}'::timestamptz + n * interval '1 second' + interval '30 days' END FROM generate_series(1, ${NEWEST}) n;
  INSERT INTO conversations (space_id, id, type, scope, parent_conversation_id, root_message_id, created_by, bot_ids, last_msg_index, last_changed_at)
    SELECT '${SPACE}', ${nth('100000 + n')}, 'thread', 'private', '${BIG}', ${nth('n * 5')}, '${id(1)}', '{}', 1, '2026-02-01' FROM generate_series(1, 20000) n;
  INSERT INTO messages (space_id, id, conversation_id, msg_index, author_id, author_type, text, sent_at, thread_id)
    SELECT '${SPACE}', ${nth('1000000 + n')}, ${nth('100000 + n')}, 1, '${id(1)}', 'user', 'hello', '${AT(0)}', ${nth('n * 5')} FROM generate_series(1, 20000) n`;

const page = (boundary: number, below: number, above: number) => ({
  spaceId: SPACE,
  conversationId: BIG,
  boundary,
  below,
  above,
});
const changed = (since: number, boundary: number, below: number, above: number) => ({
  ...page(boundary, below, above),
  since: AT(since),
});

const SENT_UNTIL = statement(
  'tests.sent_until',
  'SELECT last_msg_index_until($1, $2, $3::timestamptz) AS msg_index',
  { msg_index: 'int8' },
);

describePlans(FILL, [
  { statement: READ_HISTORY, params: page(Number.MAX_SAFE_INTEGER, 51, 1), unprepared: true },
  { statement: READ_HISTORY, params: page(150_000, 100, 102), unprepared: true },
  { statement: READ_CHANGED_HISTORY, params: changed(NEWEST - 10, NEWEST + 1, 51, 1), unprepared: true },
  // The start of new messages is looked up once, from the end: long conversations cost no more than
  // short ones.
  { statement: SENT_UNTIL, params: [SPACE, BIG, AT(NEWEST - 10)], unprepared: true, mayTouch: 45 },
  {
    statement: READ_CHANGED_HISTORY,
    params: changed(NEWEST + 3_000_000, NEWEST + 1, 51, 1),
    unprepared: true,
    mayTouch: 40,
  },
  { statement: READ_CHANGED_HISTORY, params: changed(NEWEST + 2_590_000, 1, 1, 201), unprepared: true },
  { statement: READ_CHANGED_HISTORY, params: changed(0, 150_000, 100, 102), unprepared: true },
  {
    statement: READ_CONTEXT,
    params: { spaceIds: [SPACE], conversationIds: [BIG], beforeIndexes: [NEWEST], limits: [50] },
    unprepared: true,
  },
  { statement: THREADS_OF_MESSAGES, params: [SPACE, Array.from({ length: 50 }, (_, n) => id(1000 + n))] },
  { statement: FIND_CONVERSATION, params: [SPACE, BIG] },
  { statement: FIND_MEMBERSHIP, params: [SPACE, BIG, id(1)] },
  { statement: FIND_MESSAGE, params: [SPACE, id(7)] },
  {
    statement: FIND_MESSAGES_TO_CHANGE,
    params: { spaceId: SPACE, conversationId: BIG, ids: [id(7), id(300_000)] },
  },
  {
    statement: STORE_EDITS,
    params: {
      spaceId: SPACE,
      ids: [id(7), id(300_000)],
      texts: ['one', 'two'],
      mentions: [null, `{${id(1)}}`],
      metadataJsons: [null, null],
      editedAts: [new Date(), new Date()],
      textDerived: [null, true],
      keepsSource: [true, false],
      sourceJsons: [null, null],
    },
  },
  {
    statement: POST_IF_FREE,
    params: {
      spaceId: SPACE,
      conversationId: BIG,
      authorId: id(1),
      authorType: 'user',
      isGranted: false,
      messageId: id(400_001),
      text: 'hello',
      mentions: null,
      threadId: null,
      metadataJson: null,
      displayName: null,
      displayAvatarUrl: null,
      eventId: id(400_001),
      notify: null,
      attachments: null,
      traceparent: null,
      textDerived: null,
      sourceJson: null,
    },
  },
  {
    statement: POST_MANY,
    params: {
      spaceId: SPACE,
      conversationIds: [BIG],
      authorIds: [id(1)],
      authorTypes: ['user'],
      granted: [false],
      messageIds: [id(400_000)],
      texts: ['hello'],
      metadataJsons: [null],
      displayNames: [null],
      displayAvatarUrls: [null],
      eventIds: [id(400_000)],
      notices: [null],
      traceparents: null,
      textDerived: null,
      sourceJsons: null,
    },
  },
]);
