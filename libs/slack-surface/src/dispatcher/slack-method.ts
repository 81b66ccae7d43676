import type { BotPrincipal, UserPrincipal } from '@tieline/platform/http';
import type { Arguments, ArgumentKinds } from './arguments.js';
import type { RestCall } from './rest-call.js';

/** Who calls a method: a bot, or an app with the token that it has of a person. */
export type SlackCaller = BotPrincipal | UserPrincipal;

/** The part of the REST API for this caller. */
export const sideOf = ({ kind }: SlackCaller): 'bot' | 'client' => (kind === 'bot' ? 'bot' : 'client');

/** One call of a method. */
export interface SlackCall {
  readonly caller: SlackCaller;
  /** In Tieline's spelling. */
  readonly token: string;
  /** Returns the address of the client. */
  readonly address: () => string;
  readonly args: Arguments;
  /** Calls an endpoint of the REST API as the caller. */
  readonly rest: RestCall;
  /** Adds a warning to the answer. */
  warn(text: string): void;
}

/** A call without a token. */
export interface PublicCall {
  /** All arguments as sent. */
  readonly given: Readonly<Record<string, unknown>>;
  /** `Authorization`. */
  readonly authorization: string | undefined;
  /** Address of the client. */
  readonly address: string;
}

/** A method of the Web API: one line of the registry. */
export interface SlackMethod {
  readonly name: string;
  /**
   * Slack's scopes, one of which suffices; empty: any token. The first one decides what the token
   * needs here.
   */
  readonly scopes: readonly string[];
  readonly arguments: ArgumentKinds;
  readonly isPublic?: undefined;
  /** Called with an app-level token (`xapp-…`), and with no other. */
  readonly isAppLevel?: true;
  /** Callers of only one kind. */
  readonly only?: SlackCaller['kind'];
  /** Names of errors that this method calls differently, by the code here. */
  readonly errors?: Readonly<Record<string, string>>;
  /** Returns the fields of the answer besides `ok`. */
  readonly run: (call: SlackCall) => Promise<object>;
}

/** A method that needs no token. */
export interface PublicSlackMethod {
  readonly name: string;
  readonly isPublic: true;
  readonly run: (call: PublicCall) => object;
}

/** The methods of one family, as `chat.*`. */
export interface MethodGroup {
  readonly methods: readonly (SlackMethod | PublicSlackMethod)[];
}
