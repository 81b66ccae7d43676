import { Environment, PlatformSettings } from '@tieline/platform/config';
import { createHttpApp } from '@tieline/platform/http';
import { createLogger, NestLogger } from '@tieline/platform/observability';
import { createTestDatabase, TEST_ENVIRONMENT } from '@tieline/testing';
import { ApiModule } from './api.module.js';

/*
 * Every route that writes is charged by default. The lists below name the routes that are not, each
 * with its reason. A new one fails this test until it is added here.
 */

const BOT_WRITES = 'the write rate of the bot';
const BOT_MESSAGES = 'the message rate of bot and conversation, and the write rate of the bot';
const PERSON_WRITES = 'the write rate of the person';
const CLICKS = 'the write rate of the person, and the rate of clicks';
const COMMANDS = 'the write rate of the person, and the rate of the command';
const TASKS = 'the rate of execution tasks';
const RUNS = 'the rates of agent runs';
const APPROVALS = 'the rate of approvals, and the write rate of the bot';

/** Routes with `@HasOwnRate()`, and the rate that their handler charges. */
const OWN_RATE: Readonly<Record<string, string>> = {
  'PATCH /api/v1/bot/me': BOT_WRITES,
  'POST /api/v1/bot/conversations': BOT_WRITES,
  'PATCH /api/v1/bot/conversations/:id': BOT_WRITES,
  'POST /api/v1/bot/conversations/:id/archive': BOT_WRITES,
  'POST /api/v1/bot/conversations/:id/unarchive': BOT_WRITES,
  'POST /api/v1/bot/conversations/:id/join': BOT_WRITES,
  'POST /api/v1/bot/conversations/:id/leave': BOT_WRITES,
  'POST /api/v1/bot/conversations/:id/members': BOT_WRITES,
  'DELETE /api/v1/bot/conversations/:id/members/:member_id': BOT_WRITES,
  'PUT /api/v1/bot/conversations/:id/prompts': BOT_WRITES,
  'PUT /api/v1/bot/conversations/:id/status': BOT_WRITES,
  'DELETE /api/v1/bot/conversations/:id/status': BOT_WRITES,
  'POST /api/v1/bot/scheduled_messages': BOT_WRITES,
  'DELETE /api/v1/bot/scheduled_messages/:id': BOT_WRITES,
  'POST /api/v1/bot/dm': 'the rate of direct conversations that a bot opens',
  'POST /api/v1/bot/webhook/rotate_secret': BOT_WRITES,
  'POST /api/v1/bot/files/upload_sessions': BOT_WRITES,
  'POST /api/v1/bot/files/:file_id/confirm': BOT_WRITES,
  'POST /api/v1/bot/messages': BOT_MESSAGES,
  'PATCH /api/v1/bot/messages/:message_id': BOT_MESSAGES,
  'DELETE /api/v1/bot/messages/:message_id': BOT_MESSAGES,
  'POST /api/v1/bot/messages/ephemeral': BOT_MESSAGES,
  'PUT /api/v1/bot/messages/:message_id/reactions/:emoji': BOT_WRITES,
  'DELETE /api/v1/bot/messages/:message_id/reactions/:emoji': BOT_WRITES,
  'PUT /api/v1/bot/messages/:message_id/pin': BOT_WRITES,
  'DELETE /api/v1/bot/messages/:message_id/pin': BOT_WRITES,
  'PATCH /api/v1/bot/threads/:root_message_id': BOT_WRITES,
  'POST /api/v1/bot/execution_tasks': TASKS,
  'PATCH /api/v1/bot/execution_tasks/:widget_id': TASKS,
  'POST /api/v1/bot/execution_tasks/:widget_id/cancel': TASKS,
  'POST /api/v1/bot/agent_runs': RUNS,
  'PATCH /api/v1/bot/agent_runs/:run_id': RUNS,
  'POST /api/v1/bot/agent_runs/:run_id/cancel': RUNS,
  'POST /api/v1/bot/approvals': APPROVALS,
  'POST /api/v1/bot/approvals/:id/cancel': BOT_WRITES,
  'PATCH /api/v1/bot/interactive_config': BOT_WRITES,
  'DELETE /api/v1/bot/interactive_config': BOT_WRITES,
  'POST /api/v1/bot/interactive_config/rotate_secret': BOT_WRITES,
  'PUT /api/v1/bot/shortcuts': BOT_WRITES,
  'PUT /api/v1/bot/homes/:user_id': BOT_WRITES,
  'POST /api/v1/bot/interactions/:interaction_id/respond': BOT_WRITES,
  'POST /api/v1/bot/modals': BOT_WRITES,
  'POST /api/v1/bot/modals/:modal_id/push': BOT_WRITES,
  'PATCH /api/v1/bot/modals/:modal_id': BOT_WRITES,
  'POST /api/v1/bot/responses/:response_token': BOT_MESSAGES,
  'POST /api/v1/bots/:bot_id/commands': BOT_WRITES,
  'PATCH /api/v1/bots/:bot_id/commands/:command_id': BOT_WRITES,
  'DELETE /api/v1/bots/:bot_id/commands/:command_id': BOT_WRITES,
  'POST /api/v1/bots/:bot_id/commands/:command_id/rotate_secret': BOT_WRITES,
  'POST /api/v1/client/agent_runs/:run_id/stop': PERSON_WRITES,
  'POST /api/v1/client/conversations/:id/messages': PERSON_WRITES,
  'PATCH /api/v1/client/messages/:id': PERSON_WRITES,
  'DELETE /api/v1/client/messages/:id': PERSON_WRITES,
  'PUT /api/v1/client/messages/:id/reactions/:emoji': PERSON_WRITES,
  'DELETE /api/v1/client/messages/:id/reactions/:emoji': PERSON_WRITES,
  'PUT /api/v1/client/messages/:id/pin': PERSON_WRITES,
  'DELETE /api/v1/client/messages/:id/pin': PERSON_WRITES,
  'POST /api/v1/client/files/upload_sessions': PERSON_WRITES,
  'POST /api/v1/client/files/:file_id/confirm': PERSON_WRITES,
  'POST /api/v1/client/approvals/:id/decide': PERSON_WRITES,
  'POST /api/v1/client/messages/:id/interactions': CLICKS,
  'POST /api/v1/client/messages/:id/block_actions': CLICKS,
  'POST /api/v1/client/messages/:id/block_options': CLICKS,
  'POST /api/v1/client/modals/:modal_token/submit': CLICKS,
  'POST /api/v1/client/modals/:modal_token/close': PERSON_WRITES,
  'POST /api/v1/client/modals/:modal_token/options': 'the rate of suggestions: changes nothing',
  'POST /api/v1/client/shortcuts/:id': CLICKS,
  'POST /api/v1/client/views/:id/block_actions': CLICKS,
  'POST /api/v1/client/views/:id/block_options': 'the rates of people and of suggestions',
  'POST /api/v1/client/views/:id/submit': CLICKS,
  'POST /api/v1/client/views/:id/close': PERSON_WRITES,
  'POST /api/v1/client/conversations/:id/commands': COMMANDS,
  'POST /api/v1/client/conversations/:id/commands/options': 'the rate of suggestions: changes nothing',
  'POST /mcp': 'the rates of the endpoints that its tools call',
};

const OPERATOR = 'the operator has no rate';
const SIGN_IN = 'no caller yet: wrong secrets are limited per address and per secret';
const INCOMING = 'the rate of the incoming webhook';
const NO_WEBHOOK = 'names no webhook: always refused';
const OAUTH = 'the client is unknown before its secret is checked; failures count by address';
const PORTAL = 'the rate of the portal link';

/** Routes that write and whose caller the default rate does not know, and what limits them. */
const NOT_CHARGED: Readonly<Record<string, string>> = {
  'PUT /storage/*': 'the signed link allows one file, whose creation was charged',
  'POST /api/v1/operator/spaces': OPERATOR,
  'PATCH /api/v1/operator/spaces/:id': OPERATOR,
  'PATCH /api/v1/operator/apps/:id': OPERATOR,
  'POST /api/v1/operator/spaces/:space_id/users/:id/regenerate_token': OPERATOR,
  'DELETE /api/v1/operator/session': OPERATOR,
  'DELETE /api/v1/operator/sessions/:id': OPERATOR,
  'POST /api/v1/client/session': SIGN_IN,
  'POST /api/v1/client/session/invite': SIGN_IN,
  'POST /api/v1/operator/session': SIGN_IN,
  'POST /slack/api/:method': 'the rate of the endpoint that the method calls',
  'POST /slack/responses/:team/:response_token': 'the rate of the bot that the token names',
  'POST /slack/uploads/:upload_token': 'the signed address allows one file, whose creation was charged',
  'POST /oauth/token': OAUTH,
  'POST /oauth/revoke': OAUTH,
  'POST /oauth/register': 'registrations count by address',
  'POST /api/v1/webhooks/incoming/:token': INCOMING,
  'PATCH /api/v1/webhooks/incoming/:token/messages/:message_id': INCOMING,
  'DELETE /api/v1/webhooks/incoming/:token/messages/:message_id': INCOMING,
  'POST /hooks/:token': INCOMING,
  'POST /hooks/:hook_id/:token': INCOMING,
  'POST /api/v1/webhooks/hooks/:token': INCOMING,
  'POST /services/:team_id/:service_id/:token': INCOMING,
  'POST /api/v1/webhooks/incoming': NO_WEBHOOK,
  'POST /api/v1/webhooks/incoming/*': NO_WEBHOOK,
  'POST /api/v1/webhooks/hooks': NO_WEBHOOK,
  'POST /api/v1/webhooks/hooks/*': NO_WEBHOOK,
  'POST /hooks': NO_WEBHOOK,
  'POST /hooks/*': NO_WEBHOOK,
  'POST /services': NO_WEBHOOK,
  'POST /services/*': NO_WEBHOOK,
  'POST /portal/:token/test': PORTAL,
  'POST /portal/:token/deliveries/:id/redeliver': PORTAL,
};

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

test('every writing route is charged by default, or named here with its reason', async () => {
  const database = await createTestDatabase();
  const environment = new Environment({ ...TEST_ENVIRONMENT, DATABASE_URL: database.url });
  const logger = createLogger(new PlatformSettings(environment), 'api', { write: () => undefined });
  const module = ApiModule.of(environment, logger);
  const app = await createHttpApp(module, { logger, nestLogger: new NestLogger(logger) });
  const [own, uncharged]: [string[], string[]] = [[], []];
  try {
    for (const { pattern, methods } of app.getHttpAdapter().getInstance().knownRoutes.all())
      for (const [method, { rate, guarded }] of methods) {
        if (READS.has(method)) continue;
        const isOperators = pattern.startsWith('/api/v1/operator/');
        if (rate === 'own') own.push(`${method} ${pattern}`);
        else if (!guarded || isOperators) uncharged.push(`${method} ${pattern}`);
      }
  } finally {
    await app.close();
    await database.drop();
  }
  expect(own.sort()).toEqual(Object.keys(OWN_RATE).sort());
  expect(uncharged.sort()).toEqual(Object.keys(NOT_CHARGED).sort());
});
