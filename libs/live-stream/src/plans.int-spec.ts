import { describePlans } from '@tieline/testing';
import { SWEEP_EXPIRED } from './status/status.statements.js';

const ID = `('0190d5e0-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`;

// A hundred statuses have expired.
const FILL = `
  INSERT INTO bot_statuses (space_id, place_id, bot_id, id, channel_id, text, loading_messages, expires_at)
    SELECT ${ID}, ${ID}, ${ID}, ${ID}, ${ID}, '', '{}', now() + CASE WHEN n <= 100 THEN -1 ELSE 1 END * interval '1 day' FROM generate_series(1, 100000) n`;

describePlans(FILL, [{ statement: SWEEP_EXPIRED, params: [50] }]);
