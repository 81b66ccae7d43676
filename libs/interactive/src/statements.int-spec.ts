import { describeClaims, describeEntities, describeStatements } from '@tieline/testing';
import * as interactions from './answers/interactions.statements.js';
import * as optionRequests from './choices/option-requests.statements.js';
import * as cleanUp from './clean-up/drop-interactions.statements.js';
import * as clicks from './clicks/component-clicks.statements.js';
import * as config from './config/interactive-config.statements.js';
import * as ephemeral from './ephemeral/ephemeral.statements.js';
import * as feedback from './feedback/feedback.statements.js';
import * as modals from './modals/modals.statements.js';
import * as stack from './modals/stack/modal-stack.statements.js';
import * as responses from './responses/response-uses.statements.js';
import * as builtinKeys from './schema/signing/builtin-keys.statements.js';
import * as shortcuts from './shortcuts/shortcuts.statements.js';
import * as views from './views/views.statements.js';
import { InteractiveConfig } from './config/interactive-config.entity.js';

describeStatements(
  interactions,
  cleanUp,
  clicks,
  config,
  ephemeral,
  feedback,
  modals,
  stack,
  optionRequests,
  responses,
  builtinKeys,
  shortcuts,
  views,
);
describeEntities(InteractiveConfig);

const [CLICKS, INTERACTIONS, MODALS, RESPONSES, OPTIONS, EPHEMERAL, HOMES] = cleanUp.DROPS;
const EXPIRED = `now() - interval '2 days' FROM generate_series(1, 50) n`;

describeClaims(
  {
    statement: CLICKS,
    params: [7],
    fill: `INSERT INTO component_clicks (space_id, fingerprint, click_id, expires_at)
      SELECT gen_random_uuid(), '\\x00', gen_random_uuid(), ${EXPIRED}`,
    waiting: 'SELECT 1 FROM component_clicks',
    takes: 7,
  },
  {
    statement: INTERACTIONS,
    params: [7],
    fill: `INSERT INTO interactions (space_id, id, bot_id, user_id, conversation_id, message_id, action_id, expires_at)
      SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'x', ${EXPIRED}`,
    waiting: 'SELECT 1 FROM interactions',
    takes: 7,
  },
  {
    statement: MODALS,
    params: [7],
    fill: `INSERT INTO modals (space_id, id, token_hash, bot_id, user_id, conversation_id, message_id, action_id, modal, chain_depth, expires_at)
      SELECT gen_random_uuid(), gen_random_uuid(), '\\x00', gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'x', '{}', 1, ${EXPIRED}`,
    waiting: 'SELECT 1 FROM modals',
    takes: 7,
  },
  {
    statement: RESPONSES,
    params: [7],
    fill: `INSERT INTO response_uses (space_id, id, expires_at) SELECT gen_random_uuid(), gen_random_uuid(), ${EXPIRED}`,
    waiting: 'SELECT 1 FROM response_uses',
    takes: 7,
  },
  {
    statement: OPTIONS,
    params: [7],
    fill: `INSERT INTO option_requests (space_id, id, fingerprint, expires_at) SELECT gen_random_uuid(), gen_random_uuid(), '\\x00', ${EXPIRED}`,
    waiting: 'SELECT 1 FROM option_requests',
    takes: 7,
  },
  {
    statement: EPHEMERAL,
    params: [7],
    fill: `INSERT INTO ephemeral_messages (space_id, id, conversation_id, bot_id, user_id, text, expires_at)
      SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'x', ${EXPIRED}`,
    waiting: 'SELECT 1 FROM ephemeral_messages',
    takes: 7,
  },
  {
    statement: HOMES,
    params: [7],
    fill: `INSERT INTO modals (space_id, id, token_hash, bot_id, user_id, action_id, modal, chain_depth, expires_at, view_kind)
      SELECT gen_random_uuid(), gen_random_uuid(), '\\x00', gen_random_uuid(), gen_random_uuid(), '', '{}', 1, 'infinity', 'home' FROM generate_series(1, 50) n`,
    waiting: `SELECT 1 FROM modals WHERE view_kind = 'home'`,
    takes: 7,
  },
);
