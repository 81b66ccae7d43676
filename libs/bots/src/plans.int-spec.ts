import { describePlans } from '@tieline/testing';
import { FIND_ACTIVE_BOTS, FIND_BOTS_BY_TOKEN, LIST_CHANNELS_OF_BOT } from './accounts/bots.statements.js';
import {
  LIST_CALLBACKS,
  LIST_FAILED_CALLBACKS,
  LOCK_FAILURES,
  KEPT_CALLBACKS,
  SET_FAILURES,
  TRIM_CALLBACKS,
} from './callbacks/callbacks.statements.js';
import * as inbox from './dm-stream/dm-inbox.statements.js';
import { READ_POLL_PAGE } from './poll/poll-queue.statements.js';
import { LIST_SENT_EVENTS } from './poll/events/sent-events.statements.js';
import * as socket from './socket/envelopes.statements.js';
import { COUNT_SOCKETS, REMOVE_SOCKET } from './socket/sockets.statements.js';
import * as waits from './socket/answers/answer-waits.statements.js';
import { COUNT_PUSH_FAILURES, LOAD_PUSH_TARGETS } from './push/push.statements.js';

/** Returns the n-th id of a table. */
const id = (n: number): string => `0190d5e0-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
const ID = `('0190d5e0-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`;
const HASH = (n: number): Buffer => Buffer.from(id(n).replaceAll('-', ''), 'hex');
/** Fifty rows share a space. */
const SPACE = ID.replace('to_hex(n)', 'to_hex(1 + n / 50)');
const SPACE_OF_4000 = id(81);

// Bot 4,000 has 200,000 records and waiting messages; 100 of the messages have expired. Bot 4,001
// has 200, half of them new.
const FILL = `
  INSERT INTO spaces (id, name) SELECT ${ID}, 'Acme' FROM generate_series(1, 5000) n;
  INSERT INTO bots (space_id, id, display_name, webhook_secret, webhook_url, token_hash, event_delivery_mode, push_failures)
    SELECT ${SPACE}, ${ID}, 'Robot', '', 'https://example.com', decode(replace(${ID}::text, '-', ''), 'hex'), CASE WHEN n = 4000 THEN 'poll' ELSE 'webhook' END, 3
      FROM generate_series(1, 200000) n;
  INSERT INTO poll_records (space_id, bot_id, id, event_id, event_type, payload)
    SELECT '${SPACE_OF_4000}', '${id(4000)}', n, ${ID}, 'message.new', '{}' FROM generate_series(1, 200000) n;
  INSERT INTO dm_inbox (space_id, bot_id, conversation_id, message_id, event_id, created_at)
    SELECT '${SPACE_OF_4000}', '${id(4000)}', ${ID}, ${ID}, ${ID}, now() - CASE WHEN n <= 100 THEN interval '25 hours' ELSE interval '1 hour' END FROM generate_series(1, 200000) n;
  INSERT INTO dm_inbox (space_id, bot_id, conversation_id, message_id, event_id, created_at)
    SELECT '${SPACE_OF_4000}', '${id(4001)}', ${ID}, ${ID}, ${ID}, now() - CASE WHEN n <= 100 THEN interval '1 hour' ELSE interval '2 minutes' END FROM generate_series(1, 200) n;
  INSERT INTO bot_callbacks (id, space_id, bot_id, kind, target, failed, duration_ms, response, created_at)
    SELECT ${ID}, '${SPACE_OF_4000}', '${id(4000)}', 'click', '', n % 5000 = 0, 1, '', now() FROM generate_series(1, 11000) n;
  INSERT INTO bot_callbacks (id, space_id, bot_id, kind, target, failed, duration_ms, response, created_at)
    SELECT ${ID}, ${SPACE}, ${ID}, 'click', '', false, 1, '', now() FROM generate_series(11001, 200000) n;
  INSERT INTO bot_callback_failures (space_id, bot_id, in_a_row) SELECT ${SPACE}, ${ID}, n % 3 FROM generate_series(1, 100000) n;
  INSERT INTO socket_queues (space_id, bot_id) SELECT ${SPACE}, ${ID} FROM generate_series(1, 100000) n;
  INSERT INTO socket_envelopes (space_id, bot_id, record_id, conversation_id, is_urgent, state, attempt, due_at)
    SELECT '${SPACE_OF_4000}', '${id(4000)}', n, ${ID.replace('to_hex(n)', 'to_hex(n / 10)')}, false,
           CASE WHEN n % 10 <> 0 THEN 'waiting' WHEN n % 20 = 0 THEN 'sent' ELSE 'ready' END, 1, CASE WHEN n % 20 = 0 THEN now() + interval '1 hour' END
      FROM generate_series(1, 100000) n;
  INSERT INTO bot_sockets (space_id, bot_id, connection_id) SELECT ${SPACE}, ${ID}, ${ID} FROM generate_series(1, 100000) n;
  INSERT INTO answer_waits (space_id, id, bot_id, waits_until) SELECT ${SPACE}, ${ID}, ${ID}, now() + interval '1 minute' FROM generate_series(1, 100000) n;
  INSERT INTO dm_inbox_positions (space_id, bot_id, position) SELECT ${SPACE}, ${ID}, 199000 FROM generate_series(1, 200000) n;
  INSERT INTO conversation_members (space_id, conversation_id, member_id, member_type)
    SELECT ${SPACE}, ${ID}, ${ID}, 'bot' FROM generate_series(1, 200000) n`;

const own = [[SPACE_OF_4000], [id(4000)]];
const bot = { spaceId: SPACE_OF_4000, botId: id(4000) };

describePlans(
  FILL,
  [
    { statement: inbox.FIND_RESUME_POSITION, params: { ...bot, last: 150_000, limit: 50 }, unprepared: true },
    { statement: FIND_BOTS_BY_TOKEN, params: [[HASH(5), HASH(6000), HASH(70_000)]] },
    { statement: FIND_ACTIVE_BOTS, params: [SPACE_OF_4000, [id(4000), id(4001)]] },
    { statement: LIST_CHANNELS_OF_BOT, params: [SPACE_OF_4000, id(4000)] },
    { statement: READ_POLL_PAGE, params: { ...bot, after: 100_000, limit: 50 } },
    {
      statement: LIST_SENT_EVENTS,
      params: { ...bot, since: '5', before: '9223372036854775807', limit: 51 },
    },
    { statement: socket.LOCK_SOCKET_QUEUE, params: [SPACE_OF_4000, id(4000), '0'] },
    { statement: socket.TIDY_ENVELOPES, params: { ...bot, floor: '5', abandoned: ['7', '9'] } },
    { statement: socket.DROP_ENVELOPES, params: { ...bot, ids: ['10', '20'], floor: '0' } },
    { statement: socket.DROP_POLL_RECORDS, params: [SPACE_OF_4000, id(4000), ['10', '20']] },
    { statement: socket.FREE_CONVERSATIONS, params: [SPACE_OF_4000, id(4000), [id(4), id(70)]] },
    { statement: socket.CLAIM_ENVELOPES, params: { ...bot, room: 20, ackSeconds: 10, again: ['10', '20'] } },
    { statement: socket.FIND_ENVELOPE, params: [SPACE_OF_4000, id(4000), '20'] },
    { statement: socket.EXPIRE_ENVELOPES, params: ['10', 100], unprepared: true },
    { statement: COUNT_SOCKETS, params: [SPACE_OF_4000, id(4000)] },
    { statement: REMOVE_SOCKET, params: [SPACE_OF_4000, id(4000), id(4000)] },
    { statement: waits.SETTLE_WAIT, params: [SPACE_OF_4000, id(4000), '{}'] },
    { statement: waits.TAKE_OUTCOME, params: [SPACE_OF_4000, id(4000)] },
    { statement: waits.GIVE_UP_WAIT, params: [SPACE_OF_4000, id(4000)] },
    { statement: LIST_CALLBACKS, params: { ...bot, before: id(9000), limit: 51 }, unprepared: true },
    {
      statement: LIST_FAILED_CALLBACKS,
      params: { ...bot, before: id(9_000_000), limit: 51 },
      unprepared: true,
    },
    { statement: TRIM_CALLBACKS, params: [SPACE_OF_4000, id(4000)], mayRead: KEPT_CALLBACKS + 1 },
    { statement: LOCK_FAILURES, params: [...own, [true]] },
    { statement: SET_FAILURES, params: [...own, [5]] },
    { statement: inbox.FIND_DM_POSITIONS, params: [...own, 50] },
    {
      statement: inbox.READ_DM_INBOXES,
      params: { spaceIds: [SPACE_OF_4000], botIds: [id(4000)], after: [100_000], ttlHours: 24 },
      unprepared: true,
    },
    { statement: inbox.EXPIRE_DMS, params: [24], unprepared: true },
    { statement: inbox.TRIM_DMS, params: [150], unprepared: true, mayRead: inbox.TIDIED_BATCH },
    { statement: LOAD_PUSH_TARGETS, params: [[id(4000), id(70_000)]] },
    {
      statement: COUNT_PUSH_FAILURES,
      params: {
        targetIds: [id(5), id(70_000)],
        resets: [false, true],
        beforeResets: [1, 0],
        sinceResets: [1, 0],
        longest: [1, 0],
        threshold: 100,
      },
    },
  ],
  ['bot_sockets.bot_id'],
);
