import type { AppView } from '@tieline/sdk/api';
import { bodyOf, changesOf, draftOf, EMPTY_DRAFT, SCOPES } from './draft.js';

const APP = {
  ...{ id: '1', space_id: '2', client_id: 'c', created_by: '3', created_at: '', updated_at: '' },
  ...{ name: 'Deploys', description: 'Tells', icon_url: '', homepage_url: 'https://a.example' },
  install_url: 'https://a.example/install',
  redirect_uris: ['https://a.example/1', 'http://localhost/2'],
  client_type: 'public',
  bot_scopes: ['messages:write'],
  user_scopes: ['messages:read', 'search'],
  ...{
    event_url: '',
    event_format: 'slack',
    interactive_url: 'https://a.example/clicks',
    token_rotation: true,
    distribution: 'listed',
    is_active: false,
    is_listed: true,
  },
} satisfies AppView as AppView;

it('an untouched form changes nothing', () => {
  expect(APP).toMatchObject(changesOf(draftOf(APP)));
  expect(changesOf(draftOf(APP))).not.toHaveProperty('client_type');
});

it('an app without redirect URIs can be changed', () => {
  expect(changesOf(draftOf({ ...APP, redirect_uris: [] }))).not.toHaveProperty('redirect_uris');
});

it('sends one redirect URI per line, without blanks', () => {
  const redirectUris = ' https://a.example \n\nhttps://b.example\n';
  expect(bodyOf({ ...EMPTY_DRAFT, name: ' A ', redirectUris })).toMatchObject({
    name: 'A',
    redirect_uris: ['https://a.example', 'https://b.example'],
    client_type: 'confidential',
  });
});

it('offers every scope', () => {
  expect(SCOPES).toContain('users:read.email');
  expect(SCOPES.length).toBeGreaterThan(15);
});
