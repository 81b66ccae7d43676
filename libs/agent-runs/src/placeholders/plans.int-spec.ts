import { describePlans } from '@tieline/testing';
import * as runs from '../agent-runs.statements.js';

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

const one = [SPACE, id(4000)];

describePlans(FILL, [
  { statement: runs.ADVANCE_RUN, params: [...one, id(1), 'queued', 2, 'half', '', 1000, null, 4000] },
  {
    statement: runs.FINISH_RUN,
    params: [...one, 'completed', 3, 'done', '', [], 'none', 3, 'completed', 'done', '', null],
  },
  { statement: runs.FIND_INACTIVE, params: [1800, null, null, 100] },
  { statement: runs.FIND_INACTIVE, params: [1800, new Date(0), id(0), 100] },
  { statement: runs.LOCK_INACTIVE, params: [SPACE, id(6000), 1800] },
  { statement: runs.LOCK_EDIT_DUE, params: [SPACE, id(6000)] },
  { statement: runs.FIND_OVERDUE_EDITS, params: [1000, null, null, 100] },
  { statement: runs.FIND_OVERDUE_EDITS, params: [1000, new Date(0), id(0), 100] },
  { statement: runs.FIND_WORKING_RUN, params: [SPACE, id(6000), id(6000)] },
]);
