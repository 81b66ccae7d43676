import { AppsModule } from '@tieline/apps';
import { BOTS_WORKER, BotsFixture, startBotsApi } from '@tieline/bots/testing';
import { InteractiveModule, TriggerIds } from '@tieline/interactive';
import type { InteractiveSettings } from '@tieline/interactive';
import { AnswerTimeouts, LONG_MS, SuppliedClicks } from '@tieline/interactive/testing';
import { PlatformSettings } from '@tieline/platform/config';
import type { SeededPerson, TestAnswer, TestApi } from '@tieline/spaces/testing';
import { readRows, startReceiver } from '@tieline/testing';
import type { Receiver } from '@tieline/testing';
import { slackId, uuidOf } from '../ids/slack-ids.js';
import { SlackSurfaceModule } from '../slack-surface.module.js';

type Json = Record<string, any>;
type Bot = { id: string; token: string };

let api: TestApi;
let fixture: BotsFixture;
let ann: SeededPerson;
let receiver: Receiver;
let bot: Bot;
beforeAll(async () => {
  const env = {
    ...{
      EGRESS_ALLOW_HTTP: 'true',
      EGRESS_ALLOWED_CIDRS: '127.0.0.0/8',
      CALLBACK_TIMEOUT_MS: String(LONG_MS),
    },
    ...{ RATE_BOT_WRITES_PER_SECOND: '1000', TRIGGER_TTL_SECONDS: '60' },
  };
  const modules = [SuppliedClicks.of(), InteractiveModule, AppsModule, SlackSurfaceModule, ...BOTS_WORKER];
  api = await startBotsApi(env, modules);
  new AnswerTimeouts(api);
  fixture = await BotsFixture.of(api);
  receiver = await startReceiver();
});
beforeEach(async () => {
  ann = await fixture.space.person('member', 'Ann');
  bot = await appBot();
  receiver.respond({ status: 200, body: '' });
});
afterAll(async () => {
  await receiver?.close();
  await api?.close();
});

async function appBot(): Promise<Bot> {
  const made = await fixture.bot({ event_format: 'slack', event_delivery_mode: 'none' });
  await api.call('PATCH', '/api/v1/bot/interactive_config', {
    token: made.token,
    body: { callback_url: `${receiver.url}/slack` },
  });
  return made;
}

async function call(method: string, args: object, { token } = bot): Promise<Json> {
  const { status, body } = await api.call('POST', `/slack/api/${method}`, { token, body: args });
  expect(status).toBe(200);
  return body;
}

const client = (method: string, path: string, body?: object, person = ann): Promise<TestAnswer> =>
  api.call(method, `/api/v1/client${path}`, { token: person.token, body });

/** Returns the id of a trigger of this person. */
const trigger = (of = bot, person = ann, by = api.app.get(TriggerIds, { strict: false })): string =>
  by.issue(fixture.space.spaceId, {
    ...{ botId: of.id, userId: person.id, conversationId: null, threadId: null, messageId: null },
    actionId: '',
  });

const text = (value: string): object => ({ type: 'plain_text', text: value });
const INPUT = {
  ...{ type: 'input', block_id: 'name', label: text('Name') },
  element: { type: 'plain_text_input', action_id: 'input' },
};
const BUTTON = {
  ...{ type: 'section', block_id: 'more', text: text('More?') },
  accessory: { type: 'button', action_id: 'press', text: text('Yes'), value: '42' },
};
const modal = (more: object = {}): Json => ({
  ...{ type: 'modal', callback_id: 'form', private_metadata: 'secret' },
  ...{ title: text('Form'), submit: text('Send'), blocks: [INPUT, BUTTON] },
  ...more,
});

/** Opens a view. */
async function open(view = modal()): Promise<{ id: string; view: Json }> {
  const { view: opened } = await call('views.open', { trigger_id: trigger(), view });
  return { id: uuidOf(opened.id, 'view')!, view: opened };
}

/** The last interaction that the app received. */
const received = (): Json =>
  JSON.parse(new URLSearchParams(receiver.requests.at(-1)!.body.toString()).get('payload')!);
const answer = (body: object): void => receiver.respond({ status: 200, body: JSON.stringify(body) });
const submit = async (id: string, name: unknown = 'Ann'): Promise<Json> =>
  (await client('POST', `/views/${id}/submit`, { state: { name: { input: { value: name } } } })).body;

describe('views.open', () => {
  test('opens a view once for the person of the trigger, who sees nothing of the app', async () => {
    const triggerId = trigger();
    const body = await call('views.open', { trigger_id: triggerId, view: JSON.stringify(modal()) });
    expect(body).toMatchObject({
      ok: true,
      view: {
        ...{ id: expect.stringMatching(/^V[A-H]/), type: 'modal', callback_id: 'form' },
        ...{ private_metadata: 'secret', state: { values: {} }, previous_view_id: null, external_id: '' },
        ...{ bot_id: slackId('bot', bot.id), team_id: slackId('space', fixture.space.spaceId) },
      },
    });
    expect(body['view'].root_view_id).toBe(body['view'].id);
    const id = uuidOf(body['view'].id, 'view')!;
    const { body: seen } = await client('GET', `/views/${id}`);
    expect(seen.view).toMatchObject({ id, bot_id: bot.id, title: { text: 'Form' }, blocks: [{}, {}] });
    expect(JSON.stringify(seen)).not.toMatch(/secret|callback_id/);
    const bob = await fixture.space.person('member', 'Bob');
    expect((await client('GET', `/views/${id}`, undefined, bob)).status).toBe(404);
    expect(await call('views.open', { trigger_id: triggerId, view: modal() })).toMatchObject({
      error: 'exchanged_trigger_id',
    });
  });

  test('refuses triggers of others and expired ones, and nothing opens', async () => {
    const other = await appBot();
    const wrong = { error: 'invalid_trigger_id' };
    expect(await call('views.open', { trigger_id: trigger(other), view: modal() })).toMatchObject(wrong);
    expect(await call('views.open', { trigger_id: 'tlt_x', view: modal() })).toMatchObject(wrong);
    expect(await call('views.open', { view: modal() })).toMatchObject(wrong);
    const past = { triggerTtlSeconds: -1 } as InteractiveSettings;
    const expired = new TriggerIds(api.app.get(PlatformSettings, { strict: false }), past);
    const late = await call('views.open', { trigger_id: trigger(bot, ann, expired), view: modal() });
    expect(late).toMatchObject({ error: 'expired_trigger_id' });
    const rows = await readRows(api.db, 'SELECT 1 FROM modals WHERE bot_id = ANY ($1)', [[bot.id, other.id]]);
    expect(rows).toEqual([]);
  });

  test.each([
    [{ title: text('x'.repeat(25)) }, 'invalid_arguments'],
    [{ type: 'home' }, 'invalid_arguments'],
    [{ submit: undefined }, 'invalid_arguments'],
    [{ private_metadata: 'x'.repeat(3001) }, 'invalid_arguments'],
    [{ blocks: Array.from({ length: 101 }, () => ({ type: 'divider' })) }, 'invalid_arguments'],
    [
      {
        blocks: Array.from({ length: 90 }, () => ({
          type: 'section',
          text: { type: 'mrkdwn', text: 'x'.repeat(3000) },
        })),
      },
      'view_too_large',
    ],
  ])('refuses %#', async (more, error) => {
    const view = JSON.parse(JSON.stringify(modal(more)));
    expect(await call('views.open', { trigger_id: trigger(), view })).toMatchObject({ ok: false, error });
  });

  test('of a second view ends the first one', async () => {
    const [first, second] = [await open(), await open()];
    expect((await client('GET', `/views/${first.id}`)).status).toBe(404);
    expect((await client('GET', `/views/${second.id}`)).status).toBe(200);
    const left = `SELECT modal FROM modals WHERE id = $1`;
    expect(await readRows(api.db, left, [first.id])).toEqual([{ modal: '{}' }]);
  });
});

describe('views.update', () => {
  test('replaces a view by id or external id, and not over another version', async () => {
    const { view } = await open(modal({ external_id: 'mine' }));
    const changed = modal({ title: text('Two') });
    const { hash } = view;
    const updated = await call('views.update', { view_id: view['id'], hash, view: changed });
    expect(updated['view']).toMatchObject({ id: view['id'], title: { text: 'Two' }, external_id: 'mine' });
    expect(updated['view'].hash).not.toBe(hash);
    expect(await call('views.update', { view_id: view['id'], hash, view: changed })).toMatchObject({
      error: 'hash_conflict',
    });
    expect(await call('views.update', { external_id: 'mine', view: modal() })).toMatchObject({ ok: true });
    const twice = { trigger_id: trigger(), view: modal({ external_id: 'mine' }) };
    expect(await call('views.push', twice)).toMatchObject({ error: 'duplicate_external_id' });
  });

  test('does not find views of another bot, ended and unknown ones', async () => {
    const { id, view } = await open();
    const update = (of = bot, viewId = view['id']): Promise<Json> =>
      call('views.update', { view_id: viewId, view: modal() }, of);
    expect(await update(await appBot())).toMatchObject({ error: 'not_found' });
    expect(await update(bot, 'VAAA')).toMatchObject({ error: 'not_found' });
    await client('POST', `/views/${id}/close`, {});
    expect(await update()).toMatchObject({ error: 'not_found' });
  });
});

test('three views lie on each other, and only the uppermost can be used', async () => {
  const { id, view } = await open();
  const push = (): Promise<Json> => call('views.push', { trigger_id: trigger(), view: modal() });
  const second = (await push())['view'];
  expect(second).toMatchObject({ previous_view_id: view['id'], root_view_id: view['id'] });
  const third = (await push())['view'];
  expect(third).toMatchObject({ previous_view_id: second.id, root_view_id: view['id'] });
  expect(await push()).toMatchObject({ error: 'push_limit_reached' });
  expect(await submit(id)).toMatchObject({ code: 'modal_covered' });
  expect(await submit(uuidOf(third.id, 'view')!)).toMatchObject({ result: 'closed' });
  await client('POST', `/views/${uuidOf(second.id, 'view')}/close`, {});
  expect(await submit(id)).toMatchObject({ result: 'closed' });
  expect(await push()).toMatchObject({ error: 'not_found' });
});

describe('a submission', () => {
  test('brings the state to the app, and its empty answer closes the view', async () => {
    const { id, view } = await open();
    expect(await submit(id, '')).toEqual({
      ok: true,
      result: 'errors',
      errors: { name: expect.any(String) },
    });
    expect(await submit(id)).toEqual({ ok: true, result: 'closed' });
    expect(received()).toMatchObject({
      ...{ type: 'view_submission', trigger_id: expect.stringMatching(/^tlt_/), response_urls: [] },
      view: {
        ...{ id: view['id'], private_metadata: 'secret', hash: view['hash'] },
        state: { values: { name: { input: { type: 'plain_text_input', value: 'Ann' } } } },
      },
    });
    expect(await submit(id)).toMatchObject({ code: 'modal_not_found' });
  });

  test('brings an address for answers in the conversation that the person chose', async () => {
    const channelOf = async (isPublic: boolean): Promise<string> => {
      const made = await client('POST', '/conversations', { name: `c-${bot.id}`, is_public: isPublic });
      return made.body.conversation.id;
    };
    const place = await channelOf(false);
    const select = (id: string, more: object): object => ({
      ...{ type: 'input', block_id: id, label: text(id), optional: true },
      element: { type: 'conversations_select', action_id: 'pick', ...more },
    });
    const enabled = { response_url_enabled: true };
    const blocks = [select('yes', enabled), select('no', {}), select('empty', enabled)];
    const { id } = await open(modal({ blocks }));
    const chosen = { pick: { selected_conversation: place } };
    await client('POST', `/views/${id}/submit`, { state: { yes: chosen, no: chosen } });
    const [url, ...others] = received()['response_urls'];
    expect(others).toEqual([]);
    expect(url).toEqual({
      ...{ block_id: 'yes', action_id: 'pick', channel_id: slackId('privateChannel', place) },
      response_url: expect.stringContaining('/slack/responses/T'),
    });
    const respond = (body: object): Promise<TestAnswer> =>
      api.call('POST', new URL(url.response_url).pathname, { body });
    expect((await respond({ response_type: 'in_channel', text: 'Done' })).status).toBe(200);
    expect((await respond({ replace_original: true, text: 'Done twice' })).status).toBe(200);
    const path = `/api/v1/channels/${place}/messages`;
    const { body } = await api.call('GET', path, { token: ann.token });
    expect(body.messages).toMatchObject([{ text: 'Done twice', author_id: bot.id }]);
  });

  test('needs the inputs inside of a container, too', async () => {
    const container = { type: 'container', title: text('More'), child_blocks: [INPUT] };
    const { submit: _, ...unsendable } = modal({ blocks: [container] });
    expect(await call('views.open', { trigger_id: trigger(), view: unsendable })).toMatchObject({
      ok: false,
    });
    const { id } = await open(modal({ blocks: [container] }));
    expect(await submit(id, '')).toMatchObject({ result: 'errors', errors: { name: expect.any(String) } });
    expect(await submit(id)).toMatchObject({ result: 'closed' });
  });

  test('can be answered with errors, another view on top, a new one, or the end of all', async () => {
    const { id } = await open();
    answer({ response_action: 'errors', errors: { name: 'Is taken.' } });
    expect(await submit(id)).toEqual({ ok: true, result: 'errors', errors: { name: 'Is taken.' } });
    answer({ response_action: 'update', view: modal({ title: text('Two') }) });
    expect(await submit(id)).toMatchObject({ result: 'updated', view: { id, title: { text: 'Two' } } });
    answer({ response_action: 'push', view: modal() });
    const { result, view } = await submit(id);
    expect([result, view.previous_view_id]).toEqual(['pushed', id]);
    answer({ response_action: 'clear' });
    expect(await submit(view.id)).toEqual({ ok: true, result: 'cleared' });
    expect((await client('GET', `/views/${id}`)).status).toBe(404);
  });

  test('can be repeated after no answer and a wrong one, but not run twice at once', async () => {
    const { id } = await open();
    receiver.respond(500);
    expect(await submit(id)).toMatchObject({ code: 'bot_did_not_answer' });
    for (const wrong of [
      { response_action: 'jump' },
      { response_action: 'errors', errors: {} },
      { response_action: 'update', view: { type: 'modal' } },
    ]) {
      answer(wrong);
      expect(await submit(id)).toMatchObject({ code: 'bot_answer_unreadable' });
    }
    receiver.respond({ status: 200, body: '' });
    const results = await Promise.all([submit(id), submit(id)]);
    expect(results.map(({ result }) => result).filter((result) => result === 'closed')).toHaveLength(1);
  });
});

test('elements of a view reach the app, with what the stored element says', async () => {
  const { id, view } = await open();
  const act = (body: object): Promise<TestAnswer> => client('POST', `/views/${id}/block_actions`, body);
  const pressed = { block_id: 'more', action_id: 'press', value: { value: 'forged' } };
  expect((await act({ ...pressed, state: { name: { input: { value: 'A' } } } })).body).toEqual({ ok: true });
  expect(received()).toMatchObject({
    ...{ type: 'block_actions', container: { type: 'view', view_id: view['id'] } },
    actions: [{ type: 'button', block_id: 'more', action_id: 'press', value: '42' }],
    view: { state: { values: { name: { input: { value: 'A' } } } } },
  });
  expect(await call('views.push', { trigger_id: received()['trigger_id'], view: modal() })).toMatchObject({
    ok: true,
  });
  expect((await act(pressed)).body).toMatchObject({ code: 'modal_covered' });
  const { id: other } = await open();
  const missing = { block_id: 'more', action_id: 'gone' };
  expect((await client('POST', `/views/${other}/block_actions`, missing)).status).toBe(410);
  // Typing in an input is no action unless the app asked for it.
  const typed = { block_id: 'name', action_id: 'input', value: { value: 'x' } };
  expect((await client('POST', `/views/${other}/block_actions`, typed)).status).toBe(410);
});

test('an app suggests options for what the person types', async () => {
  const select = { type: 'external_select', action_id: 'pick', min_query_length: 0 };
  const block = { type: 'input', block_id: 'who', label: text('Who'), element: select };
  const { id } = await open(modal({ blocks: [block] }));
  const options = [{ text: text('One'), value: '1' }];
  answer({ options });
  const asked = { block_id: 'who', action_id: 'pick', query: 'o' };
  expect((await client('POST', `/views/${id}/block_options`, asked)).body).toEqual({ ok: true, options });
  expect(received()).toMatchObject({ type: 'block_suggestion', value: 'o', action_id: 'pick' });
});

test('closing tells an app that asked for it, of one view or of all', async () => {
  const before = receiver.requests.length;
  const { id } = await open();
  await client('POST', `/views/${id}/close`, {});
  expect(receiver.requests).toHaveLength(before);
  const told = await open(modal({ notify_on_close: true }));
  receiver.respond(500);
  expect((await client('POST', `/views/${told.id}/close`, {})).body).toEqual({ ok: true });
  expect(received()).toMatchObject({
    ...{ type: 'view_closed', is_cleared: false, view: { id: told.view['id'], private_metadata: 'secret' } },
  });
  await open();
  const cleared = modal({ notify_on_close: true, clear_on_close: true });
  const { view } = await call('views.push', { trigger_id: trigger(), view: cleared });
  await client('POST', `/views/${uuidOf(view.id, 'view')}/close`, {});
  expect(received()).toMatchObject({ type: 'view_closed', is_cleared: true });
  expect(await call('views.push', { trigger_id: trigger(), view: modal() })).toMatchObject({
    error: 'not_found',
  });
});

describe('a home', () => {
  const home = (value: string): Json => ({
    type: 'home',
    blocks: [{ type: 'section', text: text(value) }, BUTTON],
  });
  const publish = (view: object, more: object = {}, user = slackId('user', ann.id)): Promise<Json> =>
    call('views.publish', { user_id: user, view, ...more });
  const seen = async (of = bot, person = ann): Promise<Json> =>
    (await client('GET', `/bots/${of.id}/home`, undefined, person)).body;

  test('is stored once per bot and person, and replaced only over the version that is known', async () => {
    expect(await seen()).toEqual({ ok: true, view: null });
    const { view } = await publish(home('one'));
    expect(view).toMatchObject({ type: 'home', root_view_id: view.id });
    expect(await seen()).toMatchObject({ view: { type: 'home', blocks: [{ text: { text: 'one' } }, {}] } });
    const second = await publish(home('two'), { hash: view.hash });
    expect(second['view'].id).toBe(view.id);
    expect(await publish(home('three'), { hash: view.hash })).toMatchObject({ error: 'hash_conflict' });
    expect(await seen()).toMatchObject({ view: { blocks: [{ text: { text: 'two' } }, {}] } });
    expect(await readRows(api.db, 'SELECT 1 FROM modals WHERE bot_id = $1', [bot.id])).toHaveLength(1);
    const bob = await fixture.space.person('member', 'Bob');
    expect(await seen(bot, bob)).toEqual({ ok: true, view: null });
    expect(await seen(await appBot())).toEqual({ ok: true, view: null });
    expect(await publish(modal())).toMatchObject({ error: 'invalid_arguments' });
    expect(await publish(home('x'), {}, slackId('user', bot.id))).toMatchObject({ error: 'user_not_found' });
  });

  test('has elements, cannot be submitted, and ends with its bot', async () => {
    const { view } = await publish(home('one'));
    const id = uuidOf(view.id, 'view');
    const pressed = { block_id: 'more', action_id: 'press' };
    expect((await client('POST', `/views/${id}/block_actions`, pressed)).body).toEqual({ ok: true });
    expect(received()).toMatchObject({ type: 'block_actions', view: { id: view.id, type: 'home' } });
    expect((await client('POST', `/views/${id}/submit`, {})).status).toBe(404);
    expect((await client('POST', `/views/${id}/close`, {})).status).toBe(404);
    await fixture.admin('DELETE', `/bots/${bot.id}`);
    expect(await seen()).toMatchObject({ code: 'bot_not_found' });
    expect((await client('GET', `/views/${id}`)).status).toBe(404);
  });
});
