import { describePlans } from '@tieline/testing';
import { LOCK_INTERACTION } from './answers/interactions.statements.js';
import { ANSWER_OPTION_REQUEST, FIND_CACHED_CHOICES } from './choices/option-requests.statements.js';
import { DROPS } from './clean-up/drop-interactions.statements.js';
import * as clicks from './clicks/component-clicks.statements.js';
import { FIND_CONFIG, HOLD_BOT } from './config/interactive-config.statements.js';
import { FIND_EPHEMERAL, UPDATE_EPHEMERAL } from './ephemeral/ephemeral.statements.js';
import { COUNT_CHOICES, FIND_CHOICE, STORE_CHOICE } from './feedback/feedback.statements.js';
import * as modals from './modals/modals.statements.js';
import { COVER_MODAL, REPLACE_MODAL } from './modals/stack/modal-stack.statements.js';
import { ADD_USE, LOCK_RESPONSE } from './responses/response-uses.statements.js';
import { FIND_SHORTCUT, LIST_SHORTCUTS_OF_SPACE, PUT_SHORTCUTS } from './shortcuts/shortcuts.statements.js';
import * as views from './views/views.statements.js';

/** Returns the n-th id of a table. */
const id = (n: number): string => `0190d5e0-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
const nth = (n: string): string => `('0190d5e0-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
const HASH = (n: number): Buffer => Buffer.from(id(n).replaceAll('-', ''), 'hex');
const ID = nth('n');
const HASHED = `decode(replace(${ID}::text, '-', ''), 'hex')`;
/** Twenty rows share a space, and ten a bot. */
const SPACE = nth('1 + n / 20');
const BOT = nth('1 + n / 10');
/** A hundred rows of each table expired two days ago. */
const EXPIRES = `now() + CASE WHEN n <= 100 THEN -2 ELSE 1 END * interval '1 day'`;
const ROWS = 'FROM generate_series(1, 100000) n';

// Half of the modals are native, a quarter are views, and a quarter are homes.
const FILL = `
  INSERT INTO spaces (id, name) SELECT ${ID}, 'Acme' FROM generate_series(1, 5001) n;
  INSERT INTO users (space_id, id, display_name, email, role, token_hash)
    SELECT ${SPACE}, ${ID}, 'Ann', 'ann' || n || '@example.com', 'member', ${HASHED} ${ROWS};
  INSERT INTO bots (space_id, id, display_name, webhook_secret, token_hash) SELECT ${SPACE}, ${ID}, 'Robot', '', ${HASHED} ${ROWS};
  INSERT INTO interactive_configs (space_id, bot_id, internal_key) SELECT ${SPACE}, ${ID}, '' ${ROWS};
  INSERT INTO component_clicks (space_id, fingerprint, click_id, expires_at) SELECT ${SPACE}, ${HASHED}, ${ID}, ${EXPIRES} ${ROWS};
  INSERT INTO interactions (space_id, id, bot_id, user_id, conversation_id, message_id, action_id, expires_at)
    SELECT ${SPACE}, ${ID}, ${BOT}, ${ID}, ${ID}, ${ID}, 'a', ${EXPIRES} ${ROWS};
  INSERT INTO modals (space_id, id, token_hash, bot_id, user_id, conversation_id, action_id, click_id, opened_by, external_id, modal, chain_depth, view_kind, expires_at)
    SELECT ${SPACE}, ${ID}, ${HASHED}, ${BOT}, ${ID}, ${ID}, 'a', ${ID}, ${ID}, 'x' || n, '{}', 1, (ARRAY[NULL, NULL, 'modal', 'home'])[1 + n % 4], ${EXPIRES} ${ROWS};
  INSERT INTO response_uses (space_id, id, expires_at) SELECT ${SPACE}, ${ID}, ${EXPIRES} ${ROWS};
  INSERT INTO option_requests (space_id, id, fingerprint, answered_at, expires_at) SELECT ${SPACE}, ${ID}, ${HASHED}, now(), ${EXPIRES} ${ROWS};
  INSERT INTO ephemeral_messages (space_id, id, conversation_id, bot_id, user_id, text, expires_at)
    SELECT ${SPACE}, ${ID}, ${ID}, ${BOT}, ${ID}, '', ${EXPIRES} ${ROWS};
  INSERT INTO message_feedback (space_id, message_id, user_id, choice) SELECT ${SPACE}, ${BOT}, ${ID}, 'positive' ${ROWS};
  INSERT INTO shortcuts (space_id, id, bot_id, callback_id, name, description, type) SELECT ${SPACE}, ${ID}, ${BOT}, 'c' || n, 'n', '', 'global' ${ROWS}`;

/** The 4,002nd modal is a view, the 4,003rd a home, and the others are native. */
const spaceId = id(201);
const botId = id(401);
const click = { spaceId, fingerprint: HASH(4000), clickId: id(4000) };
const ofView = { spaceId, botId, userId: id(4002) };
const claim = { spaceId, modalId: id(4000), claimId: id(4000) };
const content = { json: '{}', externalId: 'x', revision: null };

describePlans(FILL, [
  { statement: clicks.CLAIM_CLICK, params: { ...click, leaseMs: 5000 } },
  { statement: clicks.ACCEPT_CLICK, params: click },
  { statement: clicks.RELEASE_CLICK, params: click },
  { statement: LOCK_INTERACTION, params: [spaceId, id(4000)] },
  { statement: FIND_CACHED_CHOICES, params: [spaceId, HASH(4000), 10] },
  { statement: ANSWER_OPTION_REQUEST, params: [spaceId, id(4000), '[]'] },
  { statement: FIND_CONFIG, params: [spaceId, id(4000)] },
  { statement: HOLD_BOT, params: [spaceId, id(4000)] },
  { statement: FIND_EPHEMERAL, params: [spaceId, id(4000), id(4000)] },
  {
    statement: UPDATE_EPHEMERAL,
    params: {
      spaceId,
      id: id(4000),
      botId,
      text: 'x',
      hasMetadata: false,
      metadataJson: null,
      sourceJson: null,
      ttlSeconds: 60,
    },
  },
  { statement: FIND_CHOICE, params: [spaceId, botId, id(4000)] },
  {
    statement: STORE_CHOICE,
    params: { spaceId, messageId: botId, userId: id(4000), choice: 'positive' },
  },
  { statement: COUNT_CHOICES, params: [spaceId, [botId, id(402)], id(4000)] },
  { statement: modals.FIND_MODAL, params: [spaceId, HASH(4000)] },
  { statement: modals.FIND_MODAL_OF_CLICK, params: [spaceId, HASH(4000)] },
  { statement: modals.LOCK_MODAL_OF_BOT, params: [spaceId, botId, id(4000)] },
  { statement: modals.CLAIM_MODAL, params: { ...claim, leaseMs: 5000 } },
  { statement: modals.USE_MODAL, params: claim },
  {
    statement: REPLACE_MODAL,
    params: { spaceId, id: id(4000), modal: '{}', isValidated: false, ttlSeconds: 60 },
  },
  { statement: COVER_MODAL, params: { spaceId, id: id(4000), ttlSeconds: 60, maxDepth: 3 } },
  { statement: LOCK_RESPONSE, params: [spaceId, id(4000), id(1)] },
  { statement: ADD_USE, params: { spaceId, id: id(4000), useId: id(1), postedId: null } },
  { statement: FIND_SHORTCUT, params: [spaceId, id(4000)] },
  { statement: LIST_SHORTCUTS_OF_SPACE, params: [spaceId] },
  {
    statement: PUT_SHORTCUTS,
    params: {
      spaceId,
      botId,
      ids: [id(4000)],
      callbackIds: ['c4000'],
      names: ['n'],
      descriptions: [''],
      types: ['global'],
    },
  },
  { statement: views.FIND_VIEW, params: [spaceId, id(4002)] },
  { statement: views.FIND_EXTERNAL_VIEW, params: [spaceId, botId, 'x4002'] },
  { statement: views.FIND_HOME, params: [spaceId, botId, id(4003)] },
  { statement: views.PUT_HOME, params: { ...ofView, ...content, userId: id(4003), id: id(5_000_000) } },
  { statement: views.REPLACE_VIEW, params: { spaceId, ...content, id: id(4002) } },
  { statement: views.LOCK_STACK, params: ofView },
  { statement: views.EXTEND_STACK, params: { ...ofView, ttlSeconds: 60 } },
  { statement: views.END_VIEWS, params: { ...ofView, fromDepth: 1 } },
  { statement: views.CLAIM_VIEW, params: { spaceId, id: id(4002), claimId: id(1), leaseSeconds: 5 } },
  // Homes have no time at which they expire, so their clean-up reads them all.
  ...DROPS.slice(0, -1).map((statement) => ({ statement, params: [50] })),
]);
