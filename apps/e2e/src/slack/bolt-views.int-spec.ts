import type { App } from '@slack/bolt';
import { slackId } from '@tieline/slack-surface';
import { eventually, EventStreamClient } from '@tieline/testing';
import { call, expectOk } from '../tieline.js';
import { withBoltApp } from './bolt-app.js';
import { SlackWorkspace } from './slack-workspace.js';
import type { SlackBot } from './slack-workspace.js';

type Json = Record<string, any>;

let slack: SlackWorkspace;
let stream: EventStreamClient;
beforeAll(async () => {
  slack = await SlackWorkspace.start();
  stream = await EventStreamClient.open(`${slack.api.url}/api/v1/client/stream`, slack.workspace.ownerToken);
});
afterAll(async () => {
  stream?.close();
  await slack?.close();
});

const text = (value: string): { type: 'plain_text'; text: string } => ({ type: 'plain_text', text: value });
const button = (id: string): object => ({ type: 'button', action_id: id, text: text(id), value: id });
const form = (title: string): any => ({
  type: 'modal',
  callback_id: 'form',
  notify_on_close: true,
  title: text(title),
  submit: text('Send'),
  blocks: [
    {
      type: 'input',
      block_id: 'name',
      label: text('Name'),
      element: { type: 'plain_text_input', action_id: 'input' },
    },
    { type: 'actions', block_id: 'buttons', elements: [button('change'), button('push')] },
  ],
});

/** The modals and the home of the official starter, and a record of what the app got. */
function listen(app: App, name: string): Record<'submitted' | 'closed', Json[]> {
  const seen: Record<'submitted' | 'closed', Json[]> = { submitted: [], closed: [] };
  app.command(`/${name}`, async ({ ack, body, client }) => {
    await ack();
    await client.views.open({ trigger_id: body.trigger_id, view: form('First') });
  });
  app.action('change', async ({ ack, body, client }) => {
    await ack();
    const { id, hash } = (body as Json)['view'];
    await client.views.update({ view_id: id, hash, view: form('Changed') });
  });
  app.action('push', async ({ ack, body, client }) => {
    await ack();
    await client.views.push({ trigger_id: (body as Json)['trigger_id'], view: form('Second') });
  });
  app.view('form', async ({ ack, view }) => {
    const value = view.state.values['name']?.['input']?.value;
    if (value === 'bad') return ack({ response_action: 'errors', errors: { name: 'No.' } });
    seen.submitted.push(view);
    await ack();
  });
  app.view({ callback_id: 'form', type: 'view_closed' }, async ({ ack, view }) => {
    seen.closed.push(view);
    await ack();
  });
  app.event('app_home_opened', async ({ event, client }) => {
    if (event.tab !== 'home') return;
    const blocks = [{ type: 'section' as const, text: text(event.view ? 'Again' : 'Welcome') }];
    await client.views.publish({ user_id: event.user, view: { type: 'home', blocks } });
  });
  return seen;
}

/** Waits for the next view of this event on the person's stream. */
async function nextView(event: string, title: string): Promise<Json> {
  return eventually(() => {
    const view = stream.events.findLast((one) => one['event'] === event)?.['view'] as Json | undefined;
    expect(view?.['title']?.text).toBe(title);
    return view!;
  });
}

async function useModals(bot: SlackBot, app: App, name: string): Promise<void> {
  const seen = listen(app, name);
  await slack.client('POST', `/conversations/${slack.channel}/commands`, { text: `/${name}` });
  const first = await nextView('view.opened', 'First');
  const act = (view: Json, id: string): Promise<Json> =>
    slack.client('POST', `/views/${view['id']}/block_actions`, { block_id: 'buttons', action_id: id });
  const submit = (view: Json, value: string): Promise<Json> =>
    slack.client('POST', `/views/${view['id']}/submit`, { state: { name: { input: { value } } } });
  expect(await submit(first, 'bad')).toMatchObject({ result: 'errors', errors: { name: 'No.' } });
  await act(first, 'change');
  expect(await nextView('view.updated', 'Changed')).toMatchObject({ id: first['id'] });
  await act(first, 'push');
  const second = await nextView('view.opened', 'Second');
  expect(second).toMatchObject({ previous_view_id: first['id'], root_view_id: first['id'] });
  await slack.client('POST', `/views/${second['id']}/close`, {});
  await eventually(() => expect(seen.closed).toMatchObject([{ id: slackId('view', second['id']) }]));
  expect(await submit(first, 'Ann')).toMatchObject({ result: 'closed' });
  expect(seen.submitted).toMatchObject([
    { id: slackId('view', first['id']), state: { values: { name: { input: { value: 'Ann' } } } } },
  ]);
  await useHome(bot, app);
}

async function useHome(bot: SlackBot, app: App): Promise<void> {
  const { user } = await slack.client('GET', '/me');
  await app.client.conversations.open({ users: slackId('user', user.id) });
  const home = async (): Promise<Json> => slack.client('GET', `/bots/${bot.id}/home`);
  expect(await home()).toMatchObject({ view: null });
  await eventually(async () =>
    expect(await home()).toMatchObject({ view: { type: 'home', blocks: [{ text: { text: 'Welcome' } }] } }),
  );
}

test.each(['socket', 'HTTP'] as const)(
  'a Bolt app by %s opens, changes, pushes and closes modals, and publishes a home',
  async (mode) => {
    await withBoltApp(slack, mode, async (bot, app, url) => {
      const name = `modal-${mode.toLowerCase()}`;
      const command = { name, ...(url !== undefined && { callback_url: url }) };
      await expectOk(call(slack.api, 'POST', `/api/v1/bots/${bot.id}/commands`, bot.token, command));
      await useModals(bot, app, name);
    });
  },
);
