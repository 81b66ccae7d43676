import type { Db } from '@tieline/platform/database';
import type { UserPrincipal } from '@tieline/platform/http';
import { hashToken } from '@tieline/signing';
import { findSpace } from '@tieline/spaces';
import { scopesIn } from '../app.js';
import type { App } from '../app.entity.js';
import { appOfAnotherSpace, interactionNotFound } from '../apps.errors.js';
import { findClient } from '../apps.queries.js';
import { findInstallation } from '../installations/installations.queries.js';
import type { Installation } from '../installations/installation.entity.js';
import { AUTHORIZE_PATH } from '../oauth/paths.js';
import type { OAuthProvider } from '../oauth/oauth-provider.js';
import { FIND_RECORD } from '../oauth/records.statements.js';
import { approvedScopes, outcomeOf } from './outcome.js';
import type { AskedScopes, Outcome } from './outcome.js';

/** The client that asks. */
export interface AskingClient {
  clientId: string;
  name: string;
  description: string;
  iconUrl: string;
  homepageUrl: string;
  /** Null for a client that is known by its metadata document. */
  app: App | null;
}

/** What a client asks a person for. */
export interface AskedGrant {
  uid: string;
  client: AskingClient;
  /** Name of the space that the app belongs to; empty for a client without an app. */
  owner: string;
  redirectUri: string;
  scopes: AskedScopes;
  installation: Installation | null;
  outcome: Outcome;
}

/**
 * Reads what a client asks a person for.
 * @throws 404 if the request expired or is answered; 403 for an app of another space that is not
 * listed
 */
export async function readAskedGrant(
  { db, provider }: { db: Db; provider: OAuthProvider },
  { spaceId, role }: UserPrincipal,
  uid: string,
): Promise<AskedGrant> {
  const params = await paramsOf(db, uid);
  const client = await findAskingClient({ db, provider }, params.client_id);
  const { app } = client;
  if (app && app.spaceId !== spaceId && !app.isListed) throw appOfAnotherSpace();
  const scopes = askedScopes(params, app);
  const installation = await findInstallation(db, spaceId, client.clientId);
  const { appsNeedApproval: needsApproval } = await findSpace(db, spaceId);
  const owner = app ? (await findSpace(db, app.spaceId)).name : '';
  return {
    uid,
    client,
    owner,
    redirectUri: params.redirect_uri,
    scopes,
    installation,
    outcome: outcomeOf({ role, asked: scopes, approved: approvedScopes(installation), needsApproval }),
  };
}

/** Address at which the browser continues after the answer. */
export const continueAt = (publicUrl: string, uid: string, ticket: string): string =>
  `${publicUrl}${AUTHORIZE_PATH}/${uid}?ticket=${ticket}`;

interface AuthorizationParams {
  client_id: string;
  redirect_uri: string;
  scope: string;
  /** Scopes for the bot, if they are not those of `scope`. */
  bot_scope?: string;
  /** Scopes for the token of the person, if they are not those of `scope`. */
  user_scope?: string;
}

async function paramsOf(db: Db, uid: string): Promise<AuthorizationParams> {
  const [row] = await db.query(FIND_RECORD, [hashToken(uid), 'Interaction']);
  if (!row || row.payload.result !== undefined) throw interactionNotFound();
  return row.payload.params as AuthorizationParams;
}

/** Scopes that the app did not declare are left out. A client without an app has no bot. */
function askedScopes({ scope, bot_scope, user_scope }: AuthorizationParams, app: App | null): AskedScopes {
  const asked = (scope ?? '').split(' ');
  const forBot = bot_scope?.split(' ') ?? asked;
  const forPerson = user_scope?.split(' ') ?? asked;
  if (!app) return { bot: [], user: scopesIn(forPerson) };
  return {
    bot: scopesIn(app.botScopes.filter((name) => forBot.includes(name))),
    user: scopesIn(app.userScopes.filter((name) => forPerson.includes(name))),
  };
}

async function findAskingClient(
  { db, provider }: { db: Db; provider: OAuthProvider },
  clientId: string,
): Promise<AskingClient> {
  const app = await findClient(db, clientId);
  if (app) {
    const { name, description, iconUrl, homepageUrl } = app;
    return { clientId, name, description, iconUrl, homepageUrl, app };
  }
  const described = await provider.describe(clientId);
  if (!described) throw interactionNotFound();
  return { clientId, description: '', ...described, app: null };
}
