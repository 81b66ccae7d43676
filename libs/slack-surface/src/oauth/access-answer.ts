import type { TokenAnswer } from '@tieline/apps';
import { isScope } from '@tieline/platform/http';
import { slackScopes } from '../dispatcher/slack-scopes.js';
import { slackId } from '../ids/slack-ids.js';
import { slackToken } from '../tokens/token-spellings.js';

/** Returns the answer of `oauth.v2.access` for that of the token endpoint. */
export function accessAnswer(tokens: TokenAnswer, appId: string, isRefresh: boolean): object {
  const { bot, user, space } = tokens;
  const person = { id: slackId('user', user.id) };
  const ofBot = bot?.token === undefined ? undefined : { ...bot, token: bot.token };
  const ofPerson = tokens.access_token === ofBot?.token ? undefined : tokenFields(tokens, 'user');
  const answer = {
    app_id: slackId('app', appId),
    team: { id: slackId('space', space.id), name: space.name },
    enterprise: null,
    is_enterprise_install: false,
  };
  if (!ofBot)
    return isRefresh
      ? { ...answer, ...ofPerson, authed_user: person }
      : { ...answer, authed_user: { ...person, ...ofPerson } };
  // A grant has one refresh token. It is that of the bot if the bot's token expires.
  const { refresh_token: refresh, ...withoutRefresh } = ofPerson ?? {};
  const isRotating = ofBot.expires_in !== undefined;
  const ofBotAnswer = tokenFields(
    { ...ofBot, access_token: ofBot.token, ...(isRotating && pick(tokens)) },
    'bot',
  );
  return {
    ...answer,
    ...ofBotAnswer,
    bot_user_id: slackId('user', ofBot.id),
    authed_user: { ...person, ...withoutRefresh, ...(!isRotating && refresh && { refresh_token: refresh }) },
  };
}

interface Token {
  access_token: string;
  scope: string;
  expires_in?: number;
  refresh_token?: string;
}

interface TokenFields extends Token {
  token_type: 'bot' | 'user';
}

function tokenFields(
  { access_token, scope, expires_in, refresh_token }: Token,
  kind: TokenFields['token_type'],
): TokenFields {
  return {
    access_token: slackToken(access_token),
    token_type: kind,
    scope: slackScopes(new Set(scope.split(' ').filter(isScope))),
    ...(expires_in !== undefined && { expires_in }),
    ...(refresh_token !== undefined && { refresh_token: slackToken(refresh_token) }),
  };
}

const pick = ({ refresh_token }: TokenAnswer): { refresh_token?: string } =>
  refresh_token === undefined ? {} : { refresh_token };
