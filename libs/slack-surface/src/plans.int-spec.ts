import { describePlans } from '@tieline/testing';
import { NAMES_OF_COMMANDS } from './commands/command-fields.statements.js';
import * as events from './events/event-facts.statements.js';
import { FIND_STORED_FILE, LIST_STORED_FILES } from './files/stored-files.statements.js';
import { HOLD_APP } from './interactions/app-facts.statements.js';
import { FIND_ANSWERING_BOT } from './responses/response-bots.statements.js';
import { FIND_BOT, FIND_PERSON } from './views/people.statements.js';

/** Returns the n-th id of a table. */
const id = (n: number): string => `0190d5e0-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
const nth = (n: string): string => `('0190d5e0-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
const ID = nth('n');
const HASHED = `decode(replace(${ID}::text, '-', ''), 'hex')`;
/** Fifty rows share a space. */
const SPACE = nth('1 + n / 50');
const spaceId = id(81);
const botId = id(4000);
const ROWS = 'FROM generate_series(1, 100000) n';

// Bot 4,000 has direct chats with 100,000 people, and its space has their 100,000 files.
const FILL = `
  INSERT INTO spaces (id, name) SELECT ${ID}, 'Acme' FROM generate_series(1, 2001) n;
  INSERT INTO users (space_id, id, display_name, email, role, token_hash)
    SELECT '${spaceId}', ${ID}, 'Ann', 'ann' || n || '@example.com', 'member', ${HASHED} ${ROWS};
  INSERT INTO bots (space_id, id, display_name, webhook_secret, token_hash) SELECT ${SPACE}, ${ID}, 'Robot', '', ${HASHED} ${ROWS};
  INSERT INTO interactive_configs (space_id, bot_id, internal_key) SELECT ${SPACE}, ${ID}, '' ${ROWS};
  INSERT INTO app_installations (space_id, id, client_id, app_id, name, bot_id, bot_scopes, user_scopes, channel_ids, installed_by, created_at, updated_at)
    SELECT ${SPACE}, ${ID}, 'client' || n, ${ID}, 'App', ${ID}, '{}', '{}', '{}', ${ID}, now(), now() ${ROWS};
  INSERT INTO conversations (space_id, id, type, scope, dm_key, created_by) SELECT '${spaceId}', ${ID}, 'chat', 'dm', '${botId}:' || ${nth('500000 + n')}, ${ID} ${ROWS};
  INSERT INTO messages (space_id, id, conversation_id, msg_index, author_id, author_type, text, sent_at)
    SELECT '${spaceId}', ${ID}, ${ID}, 1, ${ID}, 'user', 'x', now() ${ROWS};
  INSERT INTO files (space_id, id, bot_id, conversation_id, file_type, file_name, mime_type, file_size, status)
    SELECT '${spaceId}', ${ID}, '${botId}', ${ID}, 'image', 'x', 'image/png', 1, 'ready' ${ROWS}`;

describePlans(
  FILL,
  [
    {
      statement: NAMES_OF_COMMANDS,
      params: { spaceId, botId, userIds: [id(5), id(6)], conversationIds: [id(5), id(6)] },
    },
    {
      statement: events.MESSAGES_OF_EVENTS,
      params: { spaceIds: [spaceId, spaceId], ids: [id(5), id(70_000)] },
    },
    { statement: events.SUBSCRIPTIONS_OF_INSTALLATIONS, params: [[spaceId], [botId, id(4001)]] },
    { statement: events.APPS_OF_BOTS, params: [[spaceId], [botId, id(4001)]] },
    { statement: FIND_STORED_FILE, params: [spaceId, id(4000)] },
    {
      statement: LIST_STORED_FILES,
      params: {
        spaceId,
        botId,
        conversationId: null,
        isReadable: false,
        author: null,
        since: null,
        until: null,
        window: 1000,
        offset: 0,
        limit: 100,
      },
      unprepared: true,
    },
    { statement: HOLD_APP, params: { spaceId, botId, userId: id(5) } },
    { statement: FIND_ANSWERING_BOT, params: [spaceId, botId] },
    { statement: FIND_PERSON, params: [spaceId, id(5)] },
    { statement: FIND_BOT, params: [spaceId, botId] },
  ],
  ['app_installations.bot_id'],
);
