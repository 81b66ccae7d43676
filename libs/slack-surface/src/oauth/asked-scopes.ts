import { SCOPES_BY_SLACK_NAME } from '@tieline/app-manifests';

/** Slack has no scopes for these, so every app that asks for a bot asks for them as well. */
const IMPLIED = ['events', 'interactive'] as const;

/** Returns our scopes for Slack's, which commas or spaces separate. Unknown ones are left out. */
export function ownScopes(slackScopes: string): string[] {
  const names = slackScopes.split(/[\s,]+/).filter((name) => Object.hasOwn(SCOPES_BY_SLACK_NAME, name));
  return [...new Set(names.flatMap((name) => SCOPES_BY_SLACK_NAME[name] ?? []))];
}

/** Like {@link ownScopes}, for the bot of an app. */
export function ownBotScopes(slackScopes: string): string[] {
  const scopes = ownScopes(slackScopes);
  return scopes.length === 0 ? [] : [...new Set([...scopes, ...IMPLIED])];
}
