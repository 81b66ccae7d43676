import { describePlans } from '@tieline/testing';
import * as signatures from './incoming/replay/signatures.statements.js';
import * as log from './incoming/requests/incoming-requests.statements.js';
import {
  COUNT_FAILURE,
  RESET_FAILURES,
  WEBHOOKS_BY_TOKEN,
} from './incoming/receive/incoming-webhooks.statements.js';
import { COUNT_DEAD_LETTERS, LOAD_TARGETS } from './outgoing/deliveries/outgoing-deliveries.statements.js';
import { FIND_SECRETS } from './outgoing/subscriptions/outgoing-webhooks.statements.js';

/** Returns the nth id of a table. */
const id = (n: number): string => `0190d5e0-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
const ID = `('0190d5e0-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`;
const HASH = (n: number): Buffer => Buffer.from(id(n).replaceAll('-', ''), 'hex');
/** Fifty rows share a space. */
const SPACE = ID.replace('to_hex(n)', 'to_hex(1 + n / 50)');
const one = [id(81), id(4000)];

const FILL = `
  INSERT INTO spaces (id, name) SELECT ${ID}, 'Acme' FROM generate_series(1, 5000) n;
  INSERT INTO incoming_webhooks (space_id, id, name, conversation_id, require_signature, default_push, avatar_url, is_active, token_hash, signing_secret, consecutive_failures)
    SELECT ${SPACE}, ${ID}, 'alerts', ${ID}, false, false, '', true, decode(replace(${ID}::text, '-', ''), 'hex'), '', 3 FROM generate_series(1, 200000) n;
  INSERT INTO incoming_requests (space_id, webhook_id, id, at, address, status, reason, notes, body)
    SELECT '${id(81)}', ${ID.replace('to_hex(n)', 'to_hex(3000 + n % 2000)')}, ${ID}, now(), '', 200, '', '[]', '' FROM generate_series(1, 200000) n;
  INSERT INTO incoming_signatures (webhook_id, signature, subject, request_hash, answered, claimed_at, expires_at)
    SELECT ${ID.replace('to_hex(n)', 'to_hex(3000 + n % 2000)')}, decode(replace(${ID}::text, '-', ''), 'hex'), '', '', true, now(), now() + n * interval '1 ms' FROM generate_series(1, 200000) n;
  INSERT INTO outgoing_webhooks (space_id, id, name, url, event_types, channel_ids, trigger, trigger_config, include_context, context_size, status, signing_secret, consecutive_dead)
    SELECT ${SPACE}, ${ID}, 'crm', 'https://example.com', '{}', '{}', 'all', '{}', false, 1, 'active', '', 3 FROM generate_series(1, 200000) n`;

describePlans(FILL, [
  { statement: WEBHOOKS_BY_TOKEN, params: [[HASH(4000), HASH(70_000)]] },
  { statement: COUNT_FAILURE, params: [...one, 100] },
  { statement: RESET_FAILURES, params: one },
  { statement: log.TRIM_REQUESTS, params: [[id(81)], [id(4000)]] },
  {
    statement: log.LIST_REQUESTS,
    params: { spaceId: one[0], webhookId: one[1], before: null, most: 50 },
  },
  { statement: log.DELETE_REQUESTS, params: one },
  {
    statement: signatures.CLAIM_SIGNATURES,
    params: {
      webhookIds: [id(4000), id(4001)],
      signatures: [HASH(1000), HASH(300_000)],
      subjects: ['', ''],
      requestHashes: [HASH(1), HASH(2)],
      messageIds: [id(1), id(2)],
    },
  },
  {
    statement: signatures.STORE_RESULTS,
    params: {
      webhookIds: [id(4000)],
      signatures: [HASH(1000)],
      subjects: [''],
      messageIds: [id(1)],
    },
  },
  { statement: signatures.RELEASE_SIGNATURE, params: [id(4000), HASH(1000), ''] },
  { statement: signatures.RELEASE_TO_REPEAT, params: [id(4000), HASH(1000), ''] },
  { statement: LOAD_TARGETS, params: [[id(4000), id(70_000)]] },
  { statement: FIND_SECRETS, params: [[id(4000), id(70_000)]] },
  {
    statement: COUNT_DEAD_LETTERS,
    params: {
      targetIds: [id(4000), id(70_000)],
      resets: [false, true],
      beforeResets: [1, 0],
      sinceResets: [1, 0],
      longest: [1, 0],
      threshold: 100,
    },
  },
]);
