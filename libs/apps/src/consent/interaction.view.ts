import { Field, OkAnswer, SCOPE_DESCRIPTIONS } from '@tieline/platform/http';
import type { Scope } from '@tieline/platform/http';
import type { AskedGrant } from './asked-grant.js';
import { OUTCOMES } from './outcome.js';
import type { Outcome } from './outcome.js';

/** A scope in words. */
export class ScopeView {
  @Field({ example: 'messages:write' })
  name: Scope;

  @Field({ example: SCOPE_DESCRIPTIONS['messages:write'] })
  description: string;
}

/** The app that asks. */
export class AskingAppView {
  @Field({ example: 'K1Yk8iRzq0SxVY2i3kQ1xA' })
  client_id: string;

  @Field({ example: 'Deploys' })
  name: string;

  @Field({ example: 'Tells channels what was deployed' })
  description: string;

  @Field({ example: '' })
  icon_url: string;

  @Field({ example: 'https://example.com' })
  homepage_url: string;

  @Field({
    example: 'Acme',
    description: 'the space that the app belongs to; empty for a client that is known only by its address',
  })
  owner: string;

  @Field({ example: 'example.com', description: 'host that receives the result' })
  redirect_host: string;
}

/** What an app asks the caller for. */
export class InteractionView {
  @Field({ example: 'V1StGXR8_Z5jdHi6B-myT' })
  uid: string;

  @Field({ type: AskingAppView })
  app: AskingAppView;

  @Field({ type: ScopeView, isArray: true, description: 'what its bot may do' })
  bot_scopes: ScopeView[];

  @Field({ type: ScopeView, isArray: true, description: 'what it may do as the caller' })
  user_scopes: ScopeView[];

  @Field({
    enum: OUTCOMES,
    description:
      'what happens if the caller agrees: the app is installed, only authorized, admins are asked, or nothing, because guests cannot agree',
  })
  outcome: Outcome;

  @Field({ example: false })
  is_installed: boolean;
}

export class InteractionAnswerView extends OkAnswer {
  @Field({ type: InteractionView })
  interaction: InteractionView;
}

export class AnsweredInteractionAnswer extends OkAnswer {
  @Field({ enum: ['approved', 'requested', 'denied'] })
  state: 'approved' | 'requested' | 'denied';

  @Field({
    example: 'https://tieline.example/oauth/authorize/V1StGXR8_Z5jdHi6B-myT?ticket=…',
    description: 'where the browser that began the request continues; valid once',
  })
  redirect_to: string;
}

export function interactionView({
  uid,
  client,
  owner,
  redirectUri,
  scopes,
  ...rest
}: AskedGrant): InteractionView {
  return {
    uid,
    app: {
      client_id: client.clientId,
      name: client.name,
      description: client.description,
      icon_url: client.iconUrl,
      homepage_url: client.homepageUrl,
      owner,
      redirect_host: new URL(redirectUri).host,
    },
    bot_scopes: scopes.bot.map(scopeView),
    user_scopes: scopes.user.map(scopeView),
    outcome: rest.outcome,
    is_installed: rest.installation !== null,
  };
}

const scopeView = (name: Scope): ScopeView => ({ name, description: SCOPE_DESCRIPTIONS[name] });
