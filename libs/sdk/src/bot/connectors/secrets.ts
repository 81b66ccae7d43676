import type { Activity } from '../activity.js';

type SecretList = string | readonly string[];

/**
 * Signing secrets: one per purpose, or two during a rotation. A list applies to every purpose. By
 * purpose, a secret for clicks is not accepted for commands.
 */
export type Secrets =
  | SecretList
  | {
      /** Secret of the bot's `webhook_url`. */
      push?: SecretList;
      /** Secret of the bot's buttons. */
      clicks?: SecretList;
      /** Secret of all commands, or one per command name. */
      commands?: SecretList | Readonly<Record<string, SecretList>>;
    };

/** A secret and the requests it may sign. */
export interface Secret {
  text: string;
  signs: (scheme: 'outgoing' | 'bot_push', activity: Activity) => boolean;
}

const anything = (): boolean => true;
const textsOf = (list: SecretList | undefined): string[] =>
  [list ?? []].flat().flatMap((text) => (text.trim() === '' ? [] : [text.trim()]));
const isSecretList = (given: Secrets): given is SecretList =>
  typeof given === 'string' || Array.isArray(given);

/** @throws TypeError without any secret, because no request could be verified */
export function secretsOf(given: Secrets | undefined): Secret[] {
  const secrets =
    given === undefined ? [] : isSecretList(given) ? secretsFor(given, anything) : byPurpose(given);
  if (secrets.length === 0)
    throw new TypeError(
      'receiving callbacks or pushes requires signing secrets: pass new Bot({ secrets }) or set TIELINE_SECRETS',
    );
  return secrets;
}

function secretsFor(list: SecretList | undefined, signs: Secret['signs']): Secret[] {
  return textsOf(list).map((text) => ({ text, signs }));
}

function byPurpose({ push, clicks, commands = [] }: Exclude<Secrets, SecretList>): Secret[] {
  const named = isSecretList(commands) ? [] : Object.entries(commands);
  return [
    ...secretsFor(push, (scheme) => scheme === 'bot_push'),
    ...secretsFor(clicks, (scheme, activity) => scheme === 'outgoing' && commandOf(activity) === undefined),
    ...secretsFor(isSecretList(commands) ? commands : [], (scheme) => scheme === 'outgoing'),
    ...named.flatMap(([name, list]) =>
      secretsFor(
        list,
        (scheme, activity) =>
          scheme === 'outgoing' && (commandOf(activity) ?? openingCommand(activity)) === name,
      ),
    ),
  ];
}

/** A form opened by a command is sent to the command's address if there is none for clicks. */
function openingCommand({ kind, payload }: Activity): unknown {
  const isOfCommand = payload.trigger_id !== undefined && payload.message_id === undefined;
  return isOfCommand && kind !== 'click' && kind !== 'select' ? payload.action_id : undefined;
}

function commandOf({ payload }: Activity): string | undefined {
  return typeof payload.command === 'string' ? payload.command : undefined;
}
