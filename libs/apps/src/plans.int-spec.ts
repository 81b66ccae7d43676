import { describePlans } from '@tieline/testing';
import {
  DROP_ACCESS_TOKENS,
  DROP_AUTHORIZATIONS_OF_INSTALLATION,
  DROP_GRANT,
  DROP_OLD_AUTHORIZATIONS,
  DROP_SURPLUS,
  FIND_GRANT,
  FIND_PEOPLE_BY_TOKEN,
  TAKE_OVER_BOT,
} from './authorizations/authorizations.statements.js';
import * as events from './events/app-events.statements.js';
import { FIND_INSTALLED_CLIENT } from './installations/installations.statements.js';
import { FIND_CLIENT_SECRETS } from './oauth/client-secrets.js';
import { FIND_AUTHORIZATION_OF_REFRESH_TOKEN } from './oauth/record-refused-refresh.js';
import * as records from './oauth/records.statements.js';
import { FIND_BOT_OF_TOKEN } from './oauth/revoke-token.js';

/** Returns the n-th id of a table. */
const id = (n: number): string => `0190d5e0-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
const ID = `('0190d5e0-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`;
const HASH = (n: number): Buffer => Buffer.from(id(n).replaceAll('-', ''), 'hex');
const HASHED = `decode(replace(${ID}::text, '-', ''), 'hex')`;
/** Twenty rows share a space. */
const SPACE = ID.replace('to_hex(n)', 'to_hex(1 + n / 20)');

// Each app is installed in its own space. A hundred records and authorizations have expired.
const FILL = `
  INSERT INTO spaces (id, name) SELECT ${ID}, 'Acme' FROM generate_series(1, 5001) n;
  INSERT INTO users (space_id, id, display_name, email, role, token_hash)
    SELECT ${SPACE}, ${ID}, 'Ann', 'ann' || n || '@example.com', 'member', ${HASHED} FROM generate_series(1, 100000) n;
  INSERT INTO bots (space_id, id, display_name, webhook_secret, token_hash, event_delivery_mode, event_format, installation_id)
    SELECT ${SPACE}, ${ID}, 'Robot', '', ${HASHED}, 'poll', 'slack', ${ID} FROM generate_series(1, 100000) n;
  INSERT INTO apps (space_id, id, name, description, icon_url, homepage_url, event_url, redirect_uris, client_type, bot_scopes, user_scopes,
      token_rotation, distribution, is_listed, is_active, client_id, signing_secret, created_by, created_at, updated_at)
    SELECT ${SPACE}, ${ID}, 'App', '', '', '', CASE WHEN n % 2 = 0 THEN 'https://example.com' ELSE '' END, '{}', 'public', '{}', '{}',
      false, 'space', false, true, 'client' || n, '', ${ID}, now(), now() FROM generate_series(1, 100000) n;
  INSERT INTO app_installations (space_id, id, client_id, app_space_id, app_id, name, bot_id, bot_scopes, user_scopes, channel_ids, installed_by, created_at, updated_at)
    SELECT ${SPACE}, ${ID}, 'client' || n, ${SPACE}, ${ID}, 'App', ${ID}, '{}', '{}', '{}', ${ID}, now(), now() FROM generate_series(1, 100000) n;
  INSERT INTO app_authorizations (space_id, id, installation_id, user_id, client_id, scopes, for_bot, grant_hash, created_at, expires_at)
    SELECT ${SPACE}, ${ID}, ${ID}, ${ID}, 'client' || n, '{}', true, ${HASHED}, now(), now() + CASE WHEN n <= 100 THEN -1 ELSE 1 END * interval '1 day' FROM generate_series(1, 100000) n;
  INSERT INTO oauth_records (id_hash, kind, grant_hash, payload, expires_at)
    SELECT ${HASHED}, CASE n % 2 WHEN 0 THEN 'AccessToken' ELSE 'RefreshToken' END, ${HASHED}, '{}', now() + CASE WHEN n <= 100 THEN -1 ELSE 1 END * interval '1 day'
      FROM generate_series(1, 100000) n`;

describePlans(FILL, [
  { statement: FIND_PEOPLE_BY_TOKEN, params: [[HASH(4000), HASH(70_000)]] },
  { statement: FIND_GRANT, params: [HASH(4000)] },
  { statement: DROP_GRANT, params: [HASH(4000)] },
  { statement: DROP_ACCESS_TOKENS, params: [HASH(4000)] },
  { statement: DROP_AUTHORIZATIONS_OF_INSTALLATION, params: [id(201), id(4000)] },
  { statement: DROP_SURPLUS, params: [id(201), id(4000), 'client4000'] },
  { statement: TAKE_OVER_BOT, params: [id(201), id(4000), HASH(5)] },
  { statement: DROP_OLD_AUTHORIZATIONS, params: [50] },
  { statement: events.FIND_APPS_OF_INSTALLATIONS, params: [[id(4000), id(70_000)]] },
  { statement: events.FIND_RECEIVING_APPS, params: [[id(4000), id(70_000)]] },
  { statement: events.FIND_SOCKET_BOTS, params: [[id(4001), id(70_001)]] },
  { statement: events.LOAD_EVENT_TARGETS, params: [[id(4000), id(70_000)]] },
  { statement: FIND_INSTALLED_CLIENT, params: ['client4000'] },
  { statement: FIND_CLIENT_SECRETS, params: ['client4000'] },
  { statement: FIND_BOT_OF_TOKEN, params: [HASH(4000)] },
  { statement: FIND_AUTHORIZATION_OF_REFRESH_TOKEN, params: [HASH(4001)] },
  { statement: records.FIND_RECORD, params: [HASH(4000), 'AccessToken'] },
  { statement: records.CONSUME_RECORD, params: [HASH(4001), 'RefreshToken'] },
  { statement: records.DROP_RECORDS_OF_GRANT, params: [HASH(4000), 'AccessToken'] },
  { statement: records.FIND_GRANT_OF_TOKEN, params: [HASH(4000)] },
  { statement: records.DROP_OLD_RECORDS, params: [50] },
]);
