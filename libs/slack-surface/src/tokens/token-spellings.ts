import { TOKEN_PREFIXES } from '@tieline/platform/http';

/**
 * Slack's prefixes and those of the same tokens here. `xapp-` tokens only open sockets
 * (docs/slack-apps.md#tokens).
 */
const OWN_PREFIXES: readonly (readonly [slack: string, own: string])[] = [
  ['xoxb-', TOKEN_PREFIXES.bot],
  ['xoxp-', TOKEN_PREFIXES.appAccess],
  ['xoxe-', TOKEN_PREFIXES.appRefresh],
  ['xapp-', TOKEN_PREFIXES.bot],
];

/** Returns a token in Tieline's spelling. Tokens that Slack's clients need not rename stay. */
export function ownToken(token: string): string {
  const found = OWN_PREFIXES.find(([prefix]) => token.startsWith(prefix));
  return found ? found[1] + token.slice(found[0].length) : token;
}

/** Returns a token in Slack's spelling. */
export function slackToken(token: string): string {
  const found = OWN_PREFIXES.find(([, prefix]) => token.startsWith(prefix));
  return found ? found[0] + token.slice(found[1].length) : token;
}

/** Returns whether this is the spelling of an app-level token. */
export const isAppToken = (token: string): boolean => token.startsWith('xapp-');
