import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AUTHORIZE_PATH, findClient } from '@tieline/apps';
import { PlatformSettings } from '@tieline/platform/config';
import { Db } from '@tieline/platform/database';
import { ownBotScopes, ownScopes } from './asked-scopes.js';
import { CodeVerifiers } from './code-verifiers.js';

/** Stands for an empty list, because the provider drops empty parameters. */
const NONE = 'none';

/** Finds where the authorization of a Slack app continues. */
@Injectable()
export class AuthorizeAddress {
  constructor(
    private readonly db: Db,
    private readonly settings: PlatformSettings,
    private readonly verifiers: CodeVerifiers,
  ) {}

  /**
   * Returns the address at the provider that asks for the same. The provider checks everything:
   * client, redirect URI, PKCE.
   * @param asked the parameters of Slack
   */
  async of(asked: URLSearchParams): Promise<string> {
    const clientId = asked.get('client_id') ?? '';
    const app = await findClient(this.db, clientId);
    const redirectUri = asked.get('redirect_uri') || (app?.redirectUris[0] ?? '');
    const forBot = ownBotScopes(asked.get('scope') ?? '');
    const forPerson = ownScopes(asked.get('user_scope') ?? '');
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: [...new Set([...forBot, ...forPerson])].join(' '),
      bot_scope: forBot.join(' ') || NONE,
      user_scope: forPerson.join(' ') || NONE,
    });
    copy(asked, query, 'state');
    if (asked.has('code_challenge')) {
      copy(asked, query, 'code_challenge');
      copy(asked, query, 'code_challenge_method');
    } else if (app?.clientType === 'confidential') {
      query.set('code_challenge', challengeOf(this.verifiers.of(clientId, redirectUri)));
      query.set('code_challenge_method', 'S256');
    }
    return `${this.settings.publicUrl}${AUTHORIZE_PATH}?${query}`;
  }
}

const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

function copy(from: URLSearchParams, to: URLSearchParams, name: string): void {
  const value = from.get(name);
  if (value !== null) to.set(name, value);
}
