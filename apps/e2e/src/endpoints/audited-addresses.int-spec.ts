import { call, expectOk, createWorkspace, Tieline } from '../tieline.js';

/** Parts of an address that may be secret. */
const SECRET = 'qUeRy-SeCrEt';
const address = (path: string): string => `https://93.184.215.14/${path}?key=${SECRET}#${SECRET}`;

let tieline: Tieline;
beforeAll(async () => {
  tieline = await Tieline.create();
});
afterAll(() => tieline?.close());

test('the audit log shows and stores every configured address without its query', async () => {
  const api = await tieline.start('api');
  const { ownerToken, botId, botToken } = await createWorkspace(api);
  const admin = (method: string, path: string, body?: object) =>
    expectOk(call(api, method, `/api/v1/admin/${path}`, ownerToken, body));
  const bot = (method: string, path: string, body?: object) =>
    expectOk(call(api, method, `/api/v1/${path}`, botToken, body));

  const webhook = { name: 'All', url: address('created'), event_types: ['MESSAGE_CREATED'] };
  const { subscription } = await admin('POST', 'outgoing_webhooks', webhook);
  await admin('PATCH', `outgoing_webhooks/${subscription.id}`, { url: address('updated') });
  await admin('PATCH', `outgoing_webhooks/${subscription.id}`, { url: `${address('updated')}2` });
  await admin('DELETE', `outgoing_webhooks/${subscription.id}`);
  const push = { event_delivery_mode: 'webhook', webhook_url: address('push') };
  await admin('PATCH', `bots/${botId}`, { ...push, avatar_url: address('avatar') });
  await admin('PATCH', `bots/${botId}/interactive_config`, { callback_url: address('clicks') });
  await bot('PATCH', 'bot/interactive_config', { callback_url: address('clicks-by-itself') });
  const command = { name: 'deploy', description: 'Deploys', callback_url: address('command') };
  const registered = await bot('POST', `bots/${botId}/commands`, command);
  const changed = { callback_url: address('command-updated') };
  await bot('PATCH', `bots/${botId}/commands/${registered.command.id}`, changed);
  await admin('POST', `bots/${botId}/regenerate_token`, { reset: true });

  const { entries } = await admin('GET', 'audit_log?limit=200');
  const shown = JSON.stringify(entries);
  for (const path of [
    ...['created', 'updated', 'push', 'avatar', 'clicks', 'clicks-by-itself'],
    ...['command', 'command-updated'],
  ])
    expect(shown).toContain(`"https://93.184.215.14/${path}"`);
  expect(shown).not.toContain(SECRET);
  const { rows } = await tieline.sql.query('SELECT changes::text FROM audit_log');
  expect(JSON.stringify(rows)).not.toContain(SECRET);
});

test('an entry recorded with a query is shown without it', async () => {
  const api = await tieline.start('api');
  const { ownerToken, spaceId } = await createWorkspace(api);
  const changes = { url: { from: null, to: address('before') } };
  await tieline.sql.query(
    `INSERT INTO audit_log (space_id, id, actor_type, action, object_type, object_id, changes)
     VALUES ($1, gen_random_uuid(), 'system', 'outgoing_webhook.created', 'outgoing_webhook', gen_random_uuid(), $2)`,
    [spaceId, JSON.stringify(changes)],
  );
  const { entries } = await expectOk(
    call(api, 'GET', '/api/v1/admin/audit_log?action=outgoing_webhook.created', ownerToken),
  );
  expect(entries[0].changes).toEqual({ url: { from: null, to: 'https://93.184.215.14/before' } });
});
