import { Injectable } from '@nestjs/common';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply } from 'fastify';
import { PlatformSettings } from '../../config/index.js';
import { TOKEN_PREFIXES } from './token-prefixes.js';
import type { TokenPrefix } from './token-prefixes.js';

/** Whose session it is. */
export type SessionKind = 'person' | 'operator';

/** Decisions, section 11.1: so long after its last use a session ends. */
export const SESSION_SECONDS = 12 * 3600;

/** Where the token of a session is kept, and how it begins: it opens nothing anywhere else. */
const PLACES: Readonly<Record<SessionKind, { cookie: string; prefix: TokenPrefix }>> = {
  person: { cookie: 'tieline_session', prefix: TOKEN_PREFIXES.session },
  operator: { cookie: 'tieline_operator_session', prefix: TOKEN_PREFIXES.operatorSession },
};
const FORM = /^[A-Za-z0-9_-]{43}$/;

/** How tokens of these sessions begin. */
export const sessionPrefix = (kind: SessionKind): TokenPrefix => PLACES[kind].prefix;
/** The cookie that holds the token of such a session. */
export const sessionCookie = (kind: SessionKind): string => PLACES[kind].cookie;

/** Whether this is the token of a session: good in its cookie alone. */
export function isSessionToken(token: string): boolean {
  return Object.values(PLACES).some(({ prefix }) => token.startsWith(prefix));
}

/** The token of a session in a `Cookie` header; undefined where there is none, or nothing that could be one. */
export function sessionIn(header: string | undefined, kind: SessionKind): string | undefined {
  if (header === undefined) return undefined;
  const { cookie, prefix } = PLACES[kind];
  const token = parseCookie(header)[cookie];
  return token?.startsWith(prefix) && FORM.test(token.slice(prefix.length)) ? token : undefined;
}

/**
 * Gives browsers the cookies of sessions, and takes them away: out of reach of scripts, never sent by pages of other sites, and over
 * TLS alone where PUBLIC_URL is https (decisions, section 11.1).
 */
@Injectable()
export class SessionCookies {
  constructor(private readonly settings: PlatformSettings) {}

  /** For {@link SESSION_SECONDS} from now on. */
  give(reply: FastifyReply, kind: SessionKind, token: string): void {
    this.set(reply, kind, { value: token, maxAge: SESSION_SECONDS });
  }

  take(reply: FastifyReply, kind: SessionKind): void {
    // The guard may have prolonged it for the request that ends it.
    reply.removeHeader('set-cookie');
    this.set(reply, kind, { value: '', maxAge: 0 });
  }

  private set(reply: FastifyReply, kind: SessionKind, content: { value: string; maxAge: number }): void {
    const { cookie: name } = PLACES[kind];
    const secure = new URL(this.settings.publicUrl).protocol === 'https:';
    const flags = { httpOnly: true, sameSite: 'strict', path: '/', secure } as const;
    void reply.header('set-cookie', stringifySetCookie({ name, ...content, ...flags }));
  }
}
