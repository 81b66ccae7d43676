import { slackId } from '@tieline/slack-surface';
import { eventually } from '@tieline/testing';

type Json = Record<string, any>;

/** The part of `WebClient` that every generation has. */
export interface WebApiClient {
  apiCall(method: string, args?: object): Promise<Json>;
  filesUploadV2(args: object): Promise<Json>;
}

/** What the calls are about, in Slack's spelling. */
export interface WebApiScene {
  readonly ownerId: string;
  readonly channelId: string;
  readonly email: string;
  /** The token of the bot for sockets. */
  readonly appToken: string;
  /** Makes a person use a command and returns its `trigger_id`. */
  trigger(): Promise<string>;
  /** Downloads a file with the token of the bot. */
  download(url: string): Promise<string>;
}

/** Calls methods, and remembers which. */
export class WebApiCalls {
  readonly called = new Set<string>();

  constructor(
    private readonly client: WebApiClient,
    private readonly scene: WebApiScene,
  ) {}

  /** Calls every method and checks the fields of the answers that stock apps read. */
  async all(): Promise<void> {
    const me = await this.identity();
    const ts = await this.messages(me);
    await this.streams(ts, me);
    await this.places(me);
    await this.people(me);
    await this.files(ts);
    await this.views();
    await this.later();
    await this.search(ts);
    expect(await this.call('auth.revoke')).toMatchObject({ revoked: true });
  }

  private call(method: string, args: object = {}): Promise<Json> {
    this.called.add(method);
    return this.client.apiCall(method, args);
  }

  private async identity(): Promise<Json> {
    const me = await this.call('auth.test');
    expect(me).toMatchObject({
      url: expect.stringMatching(/\/slack\/$/),
      team: 'e2e',
      team_id: expect.stringMatching(/^T/),
      user: expect.any(String),
      user_id: expect.stringMatching(/^U/),
      bot_id: expect.stringMatching(/^B/),
      is_enterprise_install: false,
    });
    expect(await this.call('api.test', { foo: 'bar' })).toMatchObject({ ok: true, args: { foo: 'bar' } });
    expect(await this.call('auth.teams.list')).toMatchObject({ teams: [{ id: me['team_id'] }] });
    const socket = await this.call('apps.connections.open', { token: this.scene.appToken });
    expect(socket['url']).toMatch(/^ws.*ticket=/);
    const code = { client_id: 'x', client_secret: 'x', code: 'x' };
    await expect(this.call('oauth.v2.access', code)).rejects.toMatchObject({
      data: { error: 'invalid_client_id' },
    });
    return me;
  }

  /** @returns `ts` of a message of the bot with a reply */
  private async messages({ user_id: user, bot_id, team_id }: Json): Promise<string> {
    const channel = this.scene.channelId;
    const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: '*b*' } }];
    const metadata = { event_type: 'e', event_payload: { a: 1 } };
    const posted = await this.call('chat.postMessage', { channel, text: 'hello there', blocks, metadata });
    const { ts } = posted;
    expect(posted).toMatchObject({
      channel,
      ts: expect.stringMatching(/^\d+\.\d{6}$/),
      message: { ts, text: 'hello there', blocks: [blocks[0]], metadata, user, bot_id, team: team_id },
    });
    const reply = await this.call('chat.postMessage', { channel, text: 'reply', thread_ts: ts });
    expect(reply['message']).toMatchObject({ thread_ts: ts });
    const { ts: other } = await this.call('chat.meMessage', { channel, text: 'waves' });
    const updated = await this.call('chat.update', { channel, ts, text: 'hello again', blocks });
    expect(updated).toMatchObject({ channel, ts, text: 'hello again' });
    const link = await this.call('chat.getPermalink', { channel, message_ts: ts });
    expect(link).toMatchObject({ channel, permalink: expect.stringMatching(/^http/) });
    expect(await this.call('chat.delete', { channel, ts: other })).toMatchObject({ channel, ts: other });
    const only = { channel, user: this.scene.ownerId, text: 'only you' };
    expect(await this.call('chat.postEphemeral', only)).toMatchObject({ message_ts: expect.any(String) });
    await this.marks(channel, ts);
    const page = await this.call('conversations.history', {
      channel,
      limit: 100,
      include_all_metadata: true,
    });
    expect(page['messages'].find((one: Json) => one['ts'] === ts)).toMatchObject({
      text: 'hello again',
      user,
      bot_id,
      blocks: [blocks[0]],
      thread_ts: ts,
      reply_count: 1,
    });
    const replies = await this.call('conversations.replies', { channel, ts });
    expect(replies).toMatchObject({ messages: [{ ts }, { text: 'reply', thread_ts: ts }], has_more: false });
    return ts;
  }

  private async marks(channel: string, timestamp: string): Promise<void> {
    await this.call('reactions.add', { channel, timestamp, name: 'tada' });
    expect(await this.call('reactions.get', { channel, timestamp })).toMatchObject({
      message: { reactions: [{ name: 'tada', count: 1 }] },
    });
    await this.call('reactions.remove', { channel, timestamp, name: 'tada' });
    await this.call('pins.add', { channel, timestamp });
    expect(await this.call('pins.list', { channel })).toMatchObject({
      items: [{ type: 'message', message: { ts: timestamp } }],
    });
    await this.call('pins.remove', { channel, timestamp });
  }

  private async streams(thread_ts: string, { team_id }: Json): Promise<void> {
    const channel = this.scene.channelId;
    const recipient = { recipient_user_id: this.scene.ownerId, recipient_team_id: team_id };
    const { ts } = await this.call('chat.startStream', { channel, thread_ts, ...recipient });
    const chunks = [{ type: 'task_update', id: '1', title: 'Read', status: 'complete' }];
    expect(await this.call('chat.appendStream', { channel, ts, chunks })).toMatchObject({ channel, ts });
    const ended = await this.call('chat.stopStream', { channel, ts, markdown_text: 'Done.' });
    expect(ended).toMatchObject({ channel, ts, message: { ts, thread_ts } });
    const opened = await this.call('conversations.open', { users: this.scene.ownerId, return_im: true });
    const direct = opened['channel'].id as string;
    expect(direct).toMatch(/^D/);
    const { ts: root } = await this.call('chat.postMessage', { channel: direct, text: 'Ask me' });
    const place = { channel_id: direct, thread_ts: root };
    await this.call('assistant.threads.setStatus', { ...place, status: 'is thinking…' });
    const prompts = [{ title: 'Build', message: 'Is the build green?' }];
    await this.call('assistant.threads.setSuggestedPrompts', { ...place, prompts });
    await this.call('assistant.threads.setTitle', { ...place, title: 'Build' });
    const session = await this.call('agents.sessions.setStatus', { ...place, status: 'processing' });
    expect(session).toMatchObject({ ok: true });
    await this.call('agents.sessions.rename', { ...place, title: 'The build' });
    await this.call('conversations.close', { channel: direct });
  }

  private async places({ user_id: user }: Json): Promise<void> {
    const channel = this.scene.channelId;
    expect(await this.call('conversations.info', { channel, include_num_members: true })).toMatchObject({
      channel: { id: channel, name: 'channel-0', is_channel: true, is_im: false, is_private: false },
    });
    const listed = await this.call('conversations.list', { types: 'public_channel', limit: 100 });
    expect(listed['channels'].map(({ id }: Json) => id)).toContain(channel);
    const joined = await this.call('users.conversations', { types: 'public_channel' });
    expect(joined['channels'].map(({ id }: Json) => id)).toContain(channel);
    expect((await this.call('conversations.members', { channel }))['members']).toContain(user);
    await this.call('conversations.leave', { channel });
    expect(await this.call('conversations.join', { channel })).toMatchObject({ channel: { id: channel } });
    const created = await this.call('conversations.create', { name: `incident-${user}`.slice(0, 60) });
    const { id } = created['channel'];
    expect(await this.call('conversations.rename', { channel: id, name: 'solved' })).toMatchObject({
      channel: { id, name: 'solved' },
    });
    await this.call('conversations.setTopic', { channel: id, topic: 'Printer' });
    await this.call('conversations.setPurpose', { channel: id, purpose: 'Fire' });
    const users = this.scene.ownerId;
    expect(await this.call('conversations.invite', { channel: id, users })).toMatchObject({
      channel: { id, topic: { value: 'Printer' }, purpose: { value: 'Fire' } },
    });
    await this.call('conversations.kick', { channel: id, user: users });
    await this.call('conversations.mark', { channel, ts: '1700000000.000001' });
    await this.call('conversations.archive', { channel: id });
    await this.call('conversations.unarchive', { channel: id });
  }

  private async people({ user_id, bot_id, team_id }: Json): Promise<void> {
    const user = this.scene.ownerId;
    expect(await this.call('users.info', { user })).toMatchObject({
      user: { id: user, is_bot: false, deleted: false, is_admin: true, tz: 'Etc/UTC', profile: {} },
    });
    expect((await this.call('users.list'))['members'].map(({ id }: Json) => id)).toContain(user);
    const { email } = this.scene;
    expect(await this.call('users.lookupByEmail', { email })).toMatchObject({ user: { profile: { email } } });
    expect(await this.call('users.profile.get', { user })).toMatchObject({
      profile: { display_name: expect.any(String), real_name: expect.any(String) },
    });
    expect((await this.call('users.getPresence', { user }))['presence']).toMatch(/^(?:active|away)$/);
    expect(await this.call('bots.info', { bot: bot_id })).toMatchObject({ bot: { id: bot_id, user_id } });
    expect(await this.call('team.info')).toMatchObject({ team: { id: team_id, name: 'e2e' } });
    expect(await this.call('emoji.list')).toMatchObject({ emoji: {} });
    expect(await this.call('usergroups.list')).toMatchObject({ usergroups: [] });
    expect(await this.call('usergroups.users.list', { usergroup: 'S0' })).toMatchObject({ users: [] });
  }

  private async files(thread_ts: string): Promise<void> {
    const channel = this.scene.channelId;
    const upload = {
      channel_id: channel,
      thread_ts,
      initial_comment: 'see',
      content: 'a,b',
      filename: 'a.csv',
    };
    const { files } = await this.client.filesUploadV2(upload);
    for (const name of ['getUploadURLExternal', 'completeUploadExternal']) this.called.add(`files.${name}`);
    const [{ id: file }] = files.flatMap((one: Json) => one['files'] ?? [one]) as [{ id: string }];
    const { file: info } = await this.call('files.info', { file });
    expect(info).toMatchObject({ id: file, name: 'a.csv', mimetype: 'text/csv', size: 3 });
    expect(await this.scene.download(info.url_private)).toBe('a,b');
    expect((await this.call('files.list', { channel }))['files']).toMatchObject([{ id: file }]);
    await this.call('files.delete', { file });
  }

  private async views(): Promise<void> {
    const view = (type: 'modal' | 'home', text: string): object => ({
      type,
      ...(type === 'modal' && { title: { type: 'plain_text', text } }),
      blocks: [{ type: 'section', text: { type: 'plain_text', text } }],
    });
    const trigger_id = await this.scene.trigger();
    const { view: opened } = await this.call('views.open', { trigger_id, view: view('modal', 'First') });
    expect(opened).toMatchObject({ id: expect.stringMatching(/^V/), hash: expect.any(String), state: {} });
    const change = { view_id: opened.id, hash: opened.hash, view: view('modal', 'Changed') };
    expect(await this.call('views.update', change)).toMatchObject({ view: { title: { text: 'Changed' } } });
    await expect(this.call('views.update', change)).rejects.toMatchObject({
      data: { error: 'hash_conflict' },
    });
    const again = { trigger_id: await this.scene.trigger(), view: view('modal', 'Second') };
    expect(await this.call('views.push', again)).toMatchObject({ view: { previous_view_id: opened.id } });
    const home = { user_id: this.scene.ownerId, view: view('home', 'Welcome') };
    expect(await this.call('views.publish', home)).toMatchObject({ view: { type: 'home' } });
  }

  private async later(): Promise<void> {
    const channel = this.scene.channelId;
    const post_at = Math.floor(Date.now() / 1000) + 600;
    const scheduled = await this.call('chat.scheduleMessage', { channel, text: 'later', post_at });
    const { scheduled_message_id } = scheduled;
    expect(scheduled).toMatchObject({ channel, post_at });
    const { scheduled_messages: list } = await this.call('chat.scheduledMessages.list', { channel });
    expect(list).toMatchObject([{ id: scheduled_message_id, post_at }]);
    await this.call('chat.deleteScheduledMessage', { channel, scheduled_message_id });
  }

  private async search(ts: string): Promise<void> {
    await eventually(async () =>
      expect(await this.call('search.messages', { query: 'hello', count: 20 })).toMatchObject({
        messages: { matches: expect.arrayContaining([expect.objectContaining({ ts, text: 'hello again' })]) },
      }),
    );
    await this.call('assistant.search.context', { query: 'hello' });
  }
}

/** Returns the ids of a person and a channel as an app sees them. */
export const spelledIds = (owner: string, channel: string): Pick<WebApiScene, 'ownerId' | 'channelId'> => ({
  ownerId: slackId('user', owner),
  channelId: slackId('publicChannel', channel),
});
