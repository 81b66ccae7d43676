import { describePlans } from '@tieline/testing';
import { LIST_MEMBERS } from './conversations/members/members.statements.js';
import { LIST_MEMBERS_AROUND, LIST_MEMBERS_OF_SPACE } from './members/members-of-space.statements.js';

/** Returns the n-th id of a table. */
const id = (n: number): string => `0190d5e0-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
const ID = `('0190d5e0-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`;
/** Fifty rows share a space. */
const SPACE = ID.replace('to_hex(n)', 'to_hex(1 + n / 50)');
const SPACE_OF_4000 = id(81);

const FILL = `
  INSERT INTO spaces (id, name) SELECT ${ID}, 'Acme' FROM generate_series(1, 5000) n;
  INSERT INTO bots (space_id, id, display_name, webhook_secret, token_hash)
    SELECT ${SPACE}, ${ID}, 'Robot', '', decode(replace(${ID}::text, '-', ''), 'hex') FROM generate_series(1, 200000) n;
  INSERT INTO conversation_members (space_id, conversation_id, member_id, member_type)
    SELECT ${SPACE}, ${ID}, ${ID}, 'bot' FROM generate_series(1, 200000) n;
  INSERT INTO users (space_id, id, display_name, role, token_hash)
    SELECT '${SPACE_OF_4000}', ${ID}, 'Ann', 'guest', decode(replace(${ID}::text, '-', ''), 'hex') FROM generate_series(1, 100000) n`;

describePlans(FILL, [
  {
    statement: LIST_MEMBERS,
    params: { spaceId: SPACE_OF_4000, conversationId: id(4000), after: id(1), limit: 51 },
  },
  { statement: LIST_MEMBERS_OF_SPACE, params: [SPACE_OF_4000, id(50_000), 51], unprepared: true },
  {
    statement: LIST_MEMBERS_AROUND,
    params: { spaceId: SPACE_OF_4000, userId: id(4000), after: id(1), limit: 51 },
  },
]);
