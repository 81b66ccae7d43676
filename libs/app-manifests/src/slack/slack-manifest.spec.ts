import { fromSlackManifest } from './slack-manifest.js';

const COMMAND = { command: '/deploy', url: 'https://app.example/slash', description: 'Deploys' };

/** A manifest as Slack's documentation has it, with parts that Tieline lacks. */
const MANIFEST = {
  _metadata: { major_version: 1 },
  display_information: { name: 'Deploys', description: 'Deploys services', background_color: '#004492' },
  features: {
    bot_user: { display_name: 'Deploy bot', always_online: true },
    slash_commands: [{ ...COMMAND, usage_hint: '<service>', should_escape: false }],
    shortcuts: [{ name: 'New', type: 'global', callback_id: 'new', color: 'red' }],
    app_home: { home_tab_enabled: true, messages_tab_enabled: false },
  },
  oauth_config: {
    redirect_urls: ['https://app.example/callback'],
    scopes: { bot: ['commands', 'chat:write', 'chat:write.public', 'calls:write'], user: ['search:read'] },
  },
  settings: {
    event_subscriptions: {
      request_url: 'https://app.example/events',
      bot_events: ['message.channels', 'message.im', 'reaction_added', 'link_shared'],
    },
    interactivity: { is_enabled: true, request_url: 'https://app.example/interactive' },
    org_deploy_enabled: false,
    socket_mode_enabled: false,
    token_rotation_enabled: true,
  },
};

test("converts the parts of Slack's manifest", () => {
  expect(fromSlackManifest(MANIFEST).manifest).toEqual({
    name: 'Deploys',
    description: 'Deploys services',
    redirect_uris: ['https://app.example/callback'],
    bot_scopes: ['commands', 'messages:write', 'runs', 'interactive', 'events'],
    user_scopes: ['search'],
    event_url: 'https://app.example/events',
    event_format: 'slack',
    interactive_url: 'https://app.example/interactive',
    token_rotation: true,
    bot: {
      display_name: 'Deploy bot',
      event_types: ['MESSAGE_CREATED', 'MESSAGE_UPDATED', 'MESSAGE_DELETED', 'REACTION_ADDED'],
      slack_events: ['message.channels', 'message.im', 'reaction_added'],
      event_delivery_mode: undefined,
    },
    commands: [
      {
        name: 'deploy',
        description: 'Deploys',
        usage_hint: '<service>',
        callback_url: 'https://app.example/slash',
      },
    ],
    shortcuts: [{ callback_id: 'new', name: 'New', description: undefined, type: 'global' }],
  });
});

test('names every part without a counterpart, and none that is off or empty', () => {
  expect(fromSlackManifest(MANIFEST).warnings.toSorted()).toEqual(
    [
      'display_information.background_color',
      'features.app_home',
      'features.bot_user.always_online',
      'features.shortcuts[0].color',
      'oauth_config.scopes.bot: calls:write',
      'settings.event_subscriptions.bot_events: link_shared',
    ].map((what) => `${what} has no counterpart and is left out`),
  );
});

test('events without a type need no warning', () => {
  const { manifest, warnings } = fromSlackManifest({
    display_information: { name: 'Deploys' },
    settings: {
      event_subscriptions: { bot_events: ['app_uninstalled', 'tokens_revoked', 'agent_session_stopped'] },
    },
  });
  expect(manifest['bot']).toMatchObject({
    event_types: [],
    slack_events: ['app_uninstalled', 'tokens_revoked', 'agent_session_stopped'],
  });
  expect(warnings).toEqual([]);
});

test('events of assistants and people select their types', () => {
  const { manifest } = fromSlackManifest({
    display_information: { name: 'Deploys' },
    settings: {
      event_subscriptions: { bot_events: ['assistant_thread_started', 'team_join', 'user_change'] },
    },
  });
  expect(manifest['bot']).toMatchObject({
    event_types: ['ASSISTANT_THREAD_STARTED', 'USER_CREATED', 'USER_UPDATED'],
  });
});

test('an app with interactivity switched off gets no address and no scope for it', () => {
  const { manifest } = fromSlackManifest({
    ...MANIFEST,
    features: { ...MANIFEST.features, shortcuts: [] },
    settings: {
      ...MANIFEST.settings,
      interactivity: { ...MANIFEST.settings.interactivity, is_enabled: false },
    },
  });
  expect(manifest).toMatchObject({
    interactive_url: undefined,
    bot_scopes: ['commands', 'messages:write', 'runs', 'events'],
  });
});

test('an app in socket mode polls and has no addresses', () => {
  const { manifest } = fromSlackManifest({
    ...MANIFEST,
    settings: { ...MANIFEST.settings, socket_mode_enabled: true },
  });
  expect(manifest).toMatchObject({
    event_url: undefined,
    event_format: 'slack',
    interactive_url: undefined,
    bot: { event_delivery_mode: 'poll' },
    commands: [{ callback_url: undefined }],
  });
});

test.each([
  ['nothing but a name', { display_information: { name: 'X' } }, []],
  ['parts of the wrong type', { display_information: 'X', features: [], settings: 1 }, 2],
  [
    'names of the prototype',
    { display_information: {}, oauth_config: { scopes: { bot: ['constructor'] } } },
    1,
  ],
])('reads %s', (_name, manifest, warnings) => {
  const found = fromSlackManifest(manifest).warnings;
  expect(Array.isArray(warnings) ? found : found.length).toEqual(warnings);
});
