import type { AppView, CreateAppDto, UpdateAppDto } from '@tieline/sdk/api';
import { scopeWords } from '../../../ui/scopes/words.js';

export type Scope = NonNullable<CreateAppDto['bot_scopes']>[number];

/** All scopes, in the order of docs/scopes.md. */
export const SCOPES = Object.keys(scopeWords.en) as Scope[];

/** Values of the form of an app. */
export interface Draft {
  name: string;
  description: string;
  iconUrl: string;
  homepageUrl: string;
  installUrl: string;
  clientType: 'confidential' | 'public';
  /** One per line. */
  redirectUris: string;
  botScopes: Scope[];
  userScopes: Scope[];
  eventUrl: string;
  eventFormat: 'native' | 'slack';
  interactiveUrl: string;
  tokenRotation: boolean;
  distribution: 'space' | 'listed';
  isActive: boolean;
}

/** Values of a new app. */
export const EMPTY_DRAFT: Draft = {
  name: '',
  description: '',
  iconUrl: '',
  homepageUrl: '',
  installUrl: '',
  clientType: 'confidential',
  redirectUris: '',
  botScopes: [],
  userScopes: [],
  eventUrl: '',
  eventFormat: 'native',
  interactiveUrl: '',
  tokenRotation: false,
  distribution: 'space',
  isActive: true,
};

/** Converts an app to form values. */
export function draftOf(app: AppView): Draft {
  return {
    name: app.name,
    description: app.description,
    iconUrl: app.icon_url,
    homepageUrl: app.homepage_url,
    installUrl: app.install_url,
    clientType: app.client_type,
    redirectUris: app.redirect_uris.join('\n'),
    botScopes: SCOPES.filter((scope) => app.bot_scopes.includes(scope)),
    userScopes: SCOPES.filter((scope) => app.user_scopes.includes(scope)),
    eventUrl: app.event_url,
    eventFormat: app.event_format,
    interactiveUrl: app.interactive_url,
    tokenRotation: app.token_rotation,
    distribution: app.distribution,
    isActive: app.is_active,
  };
}

/**
 * Converts form values to the body of an update. The type of the client cannot change. An app that
 * was created by a manifest may have no redirect URIs, but an update cannot remove them.
 */
export function changesOf(draft: Draft): UpdateAppDto {
  const redirectUris = linesOf(draft.redirectUris);
  return {
    name: draft.name.trim(),
    description: draft.description.trim(),
    icon_url: draft.iconUrl.trim(),
    homepage_url: draft.homepageUrl.trim(),
    install_url: draft.installUrl.trim(),
    ...(redirectUris.length > 0 && { redirect_uris: redirectUris }),
    bot_scopes: draft.botScopes,
    user_scopes: draft.userScopes,
    event_url: draft.eventUrl.trim(),
    event_format: draft.eventFormat,
    interactive_url: draft.interactiveUrl.trim(),
    token_rotation: draft.tokenRotation,
    distribution: draft.distribution,
    is_active: draft.isActive,
  };
}

/** Converts form values to the body that creates an app. */
export const bodyOf = (draft: Draft): CreateAppDto => ({
  ...changesOf(draft),
  name: draft.name.trim(),
  redirect_uris: linesOf(draft.redirectUris),
  client_type: draft.clientType,
});

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
