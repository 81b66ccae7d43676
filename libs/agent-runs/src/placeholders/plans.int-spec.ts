import { describePlans } from '@tieline/testing';
import * as runs from '../agent-runs.statements.js';
import * as updates from '../updates/updates.statements.js';
import * as placeholders from './placeholders.statements.js';

const SPACE = '00000000-0000-7000-8000-000000000001';
/** Returns the n-th id of a table. */
const id = (n: number): string => `0190d5e0-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
const ID = `('0190d5e0-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`;

// All rows are in one space. One run in 2,000 is unfinished and has an overdue edit.
const FILL = `
  INSERT INTO agent_runs (space_id, id, bot_id, idempotency_key, conversation_id, channel_id, trigger_message_id, message_id, content, status, completed_at, edit_due_at, updated_at)
    SELECT '${SPACE}', ${ID}, '${id(1)}', n, '${id(1)}', '${id(1)}', ${ID}, ${ID}, '', CASE WHEN n % 2000 = 0 THEN 'queued' ELSE 'completed' END,
      CASE WHEN n % 2000 > 0 THEN now() END, CASE WHEN n % 2000 = 0 THEN now() - interval '1 minute' END, now() - interval '1 hour'
      FROM generate_series(1, 200000) n;
  INSERT INTO conversation_members (space_id, conversation_id, member_id, member_type)
    SELECT '${SPACE}', ${ID}, '${id(1)}', 'bot' FROM generate_series(1, 200000) n`;

const one = { spaceId: SPACE, id: id(4000) };
const edited = {
  spaceId: SPACE,
  ids: [id(6000), id(8000)],
  sequences: [1, 1],
  showsStop: [false, true],
  spacingMs: 200,
  appendSpacingMs: 1000,
};
const first = { afterAt: null, afterId: null, limit: 100 };
const next = { afterAt: new Date(0), afterId: id(0), limit: 100 };

describePlans(FILL, [
  {
    statement: updates.ADVANCE_RUN,
    params: {
      ...one,
      botId: id(1),
      status: 'queued',
      sequence: 2,
      publicText: 'half',
      errorCode: '',
      spacingMs: 1000,
      append: null,
      maxText: 4000,
    },
  },
  {
    statement: updates.APPEND_TO_RUNS,
    params: {
      spaceId: SPACE,
      botId: id(1),
      ids: [id(4000), id(6000)],
      statuses: ['queued', 'queued'],
      sequences: [2, 2],
      appends: ['half', 'half'],
      errorCodes: ['', ''],
      spacingMs: 1000,
      maxText: 4000,
    },
  },
  {
    statement: runs.FINISH_RUN,
    params: {
      ...one,
      status: 'completed',
      sequence: 3,
      publicText: 'done',
      errorCode: '',
      fileIds: [],
      attachmentStatus: 'none',
      sentSequence: 3,
      sentStatus: 'completed',
      sentPublicText: 'done',
      sentErrorCode: '',
      sentAppend: null,
    },
  },
  { statement: runs.FIND_INACTIVE, params: { age: 1800, ...first } },
  { statement: runs.FIND_INACTIVE, params: { age: 1800, ...next } },
  { statement: runs.LOCK_INACTIVE, params: [SPACE, id(6000), 1800] },
  { statement: placeholders.FIND_EDITS_DUE, params: [SPACE, [id(6000), id(8000)]] },
  { statement: placeholders.MARK_EDITED, params: edited },
  { statement: placeholders.MARK_EDITED_IF_FREE, params: edited },
  { statement: placeholders.FIND_OVERDUE_EDITS, params: { age: 1000, ...first }, unprepared: true },
  { statement: placeholders.FIND_OVERDUE_EDITS, params: { age: 1000, ...next }, unprepared: true },
  { statement: placeholders.FIND_WORKING_RUN, params: [SPACE, id(6000), id(6000)] },
]);
