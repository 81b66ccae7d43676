import { Injectable } from '@nestjs/common';
import { PlatformSettings } from '@tieline/platform/config';
import { addressOf, RestApi, toApiError } from '@tieline/platform/http';
import type { RestCaller } from '@tieline/platform/http';
import { MethodRegistry } from '../methods/method-registry.js';
import { Arguments } from './arguments.js';
import { SlackCallers } from './callers.js';
import { slackErrorOf } from './error-names.js';
import { argumentsIn } from './request-body.js';
import type { SentArguments } from './request-body.js';
import { restCallOf } from './rest-call.js';
import { SlackError } from './slack-error.js';
import type { PublicSlackMethod, SlackMethod } from './slack-method.js';
import { requireSlackScope, slackScopes } from './slack-scopes.js';

/** A request for a method. */
export interface SlackRequest extends RestCaller {
  readonly method: string;
  readonly sent: SentArguments;
  /** `Authorization`. */
  readonly authorization: string | undefined;
}

/** What a method answers. */
export interface SlackAnswer {
  readonly status: 200 | 429;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
  /** The failure behind `internal_error`, for the log. */
  readonly failure?: unknown;
}

/** The notes that an answer gets besides its content. */
interface Notes {
  readonly messages: string[];
  readonly headers: Record<string, string>;
}

/** Calls the methods of the Web API (docs/slack-apps.md). */
@Injectable()
export class SlackWebApi {
  constructor(
    private readonly registry: MethodRegistry,
    private readonly callers: SlackCallers,
    private readonly rest: RestApi,
    readonly settings: PlatformSettings,
  ) {}

  /** Never throws: every outcome is an answer. */
  async call(request: SlackRequest): Promise<SlackAnswer> {
    const notes: Notes = { messages: [], headers: {} };
    const method = this.registry.get(request.method);
    try {
      if (!method) throw unknownMethod(request.method);
      return answerOf({ ok: true, ...(await this.run(method, request, notes)) }, notes);
    } catch (error) {
      return refusal(error, notes, method && !method.isPublic ? method.errors : undefined);
    }
  }

  private async run(
    method: SlackMethod | PublicSlackMethod,
    request: SlackRequest,
    notes: Notes,
  ): Promise<object> {
    const given = argumentsIn(request.sent);
    const { authorization } = request;
    if (method.isPublic) return method.run({ given, authorization, address: addressOf(request.request) });
    const sent = tokenOf(authorization, given);
    const { caller, token } = await this.callers.identify(sent, method.isAppLevel);
    notes.headers['x-oauth-scopes'] = slackScopes(caller.scopes);
    notes.headers['x-accepted-oauth-scopes'] = method.scopes.join(',');
    requireKind(method, caller.kind);
    requireSlackScope(caller.scopes, method.scopes);
    const warn = (text: string): void => void notes.messages.push(`[WARN] ${text}`);
    const args = Arguments.of(method.arguments, given, warn);
    const rest = restCallOf(this.rest, request, token, method.errors);
    return method.run({ caller, token, address: () => addressOf(request.request), args, warn, rest });
  }
}

/** The token of the header wins. A header of another scheme counts as a wrong token. */
function tokenOf(authorization: string | undefined, given: Readonly<Record<string, unknown>>): string {
  if (authorization !== undefined && authorization.trim() !== '')
    return /^bearer +(\S+) *$/i.exec(authorization)?.[1] ?? '-';
  return typeof given['token'] === 'string' ? given['token'] : '';
}

function requireKind({ only }: SlackMethod, kind: 'bot' | 'user'): void {
  if (only !== undefined && only !== kind) throw new SlackError('not_allowed_token_type');
}

function unknownMethod(name: string): SlackError {
  return new SlackError('unknown_method', { messages: [`[ERROR] unknown method: ${name.slice(0, 100)}`] });
}

function refusal(error: unknown, notes: Notes, names: SlackMethod['errors']): SlackAnswer {
  const { error: name, fields, messages, retryAfter } = asSlackError(error, names);
  notes.messages.push(...messages);
  if (retryAfter !== undefined) notes.headers['retry-after'] = String(Math.max(1, Math.ceil(retryAfter)));
  return {
    ...answerOf({ ok: false, error: name, ...fields }, notes),
    ...(retryAfter !== undefined && { status: 429 }),
    ...(name === 'internal_error' && { failure: error }),
  };
}

function asSlackError(error: unknown, names: SlackMethod['errors']): SlackError {
  if (error instanceof SlackError) return error;
  const { status, code, text, field, headers } = toApiError(error);
  const retryAfter = Number(headers['retry-after'] ?? 1);
  return slackErrorOf({ status, code, text, field, retryAfter }, names);
}

function answerOf(body: Readonly<Record<string, unknown>>, { messages, headers }: Notes): SlackAnswer {
  if (messages.length === 0) return { status: 200, headers, body };
  const metadata = { ...(body['response_metadata'] as object | undefined), messages };
  const warning = messages.some((text) => text.startsWith('[WARN]')) ? { warning: 'see_messages' } : {};
  return { status: 200, headers, body: { ...body, ...warning, response_metadata: metadata } };
}
