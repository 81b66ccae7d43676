import type { Happening } from '../happening.js';

type Some = string | readonly string[];

/**
 * Signing secrets; of each purpose one, or while it is rotated two. A list is good for everything;
 * by purpose, a click's secret signs no command.
 */
export type Secrets =
  | Some
  | {
      /** Of the bot's `webhook_url`. */
      push?: Some;
      /** Of the bot's buttons. */
      clicks?: Some;
      /** Of its commands: of all, or by their names. */
      commands?: Some | Readonly<Record<string, Some>>;
    };

/** A secret and what it may sign. */
export interface Secret {
  text: string;
  signs: (scheme: 'outgoing' | 'bot_push', happening: Happening) => boolean;
}

const anything = (): boolean => true;
const textsOf = (some: Some | undefined): string[] =>
  [some ?? []].flat().flatMap((text) => (text.trim() === '' ? [] : [text.trim()]));
const isSome = (given: Secrets): given is Some => typeof given === 'string' || Array.isArray(given);

/** @throws TypeError when there is none: nothing could be genuine */
export function secretsOf(given: Secrets | undefined): Secret[] {
  const secrets = given === undefined ? [] : isSome(given) ? all(given, anything) : byPurpose(given);
  if (secrets.length === 0)
    throw new TypeError(
      'whoever is called back needs signing secrets: new Bot({ secrets }) or TIELINE_SECRETS',
    );
  return secrets;
}

function all(some: Some | undefined, signs: Secret['signs']): Secret[] {
  return textsOf(some).map((text) => ({ text, signs }));
}

function byPurpose({ push, clicks, commands = [] }: Exclude<Secrets, Some>): Secret[] {
  const named = isSome(commands) ? [] : Object.entries(commands);
  return [
    ...all(push, (scheme) => scheme === 'bot_push'),
    ...all(clicks, (scheme, happening) => scheme === 'outgoing' && commandOf(happening) === undefined),
    ...all(isSome(commands) ? commands : [], (scheme) => scheme === 'outgoing'),
    ...named.flatMap(([name, some]) =>
      all(
        some,
        (scheme, happening) => scheme === 'outgoing' && (commandOf(happening) ?? formOf(happening)) === name,
      ),
    ),
  ];
}

/** A form that a command opened is sent to the command's address where there is none for clicks. */
function formOf({ payload }: Happening): unknown {
  return payload.trigger_id === undefined ? undefined : payload.action_id;
}

function commandOf({ payload }: Happening): string | undefined {
  return typeof payload.command === 'string' ? payload.command : undefined;
}
