import { Injectable } from '@nestjs/common';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply } from 'fastify';
import { PlatformSettings } from '../../config/index.js';
import { TOKEN_PREFIXES } from './token-prefixes.js';
import type { TokenPrefix } from './token-prefixes.js';

/** Whose session it is. */
export type SessionKind = 'person' | 'operator';

/** A session ends this long after its last use. */
export const SESSION_SECONDS = 12 * 3600;
/** A session ends this long after it began, however often it is used. */
export const SESSION_MAX_SECONDS = 30 * 24 * 3600;

/** Where the token of a session is kept, and how it begins: it opens nothing anywhere else. */
const PLACES: Readonly<Record<SessionKind, { cookie: string; prefix: TokenPrefix }>> = {
  person: { cookie: 'tieline_session', prefix: TOKEN_PREFIXES.session },
  operator: { cookie: 'tieline_operator_session', prefix: TOKEN_PREFIXES.operatorSession },
};
const FORM = /^[A-Za-z0-9_-]{43}$/;
/**
 * Browsers take a cookie of such a name from this very host over TLS alone: no other host of the
 * domain can plant one.
 */
const HOST_PREFIX = '__Host-';

/** A session that a request came with. */
export interface SessionInCookie {
  readonly token: string;
  /** Name of the cookie that held it. */
  readonly cookie: string;
}

/** How tokens of these sessions begin. */
export const sessionPrefix = (kind: SessionKind): TokenPrefix => PLACES[kind].prefix;
/**
 * The cookie that holds the token of such a session; with `https` its name begins with `__Host-`.
 */
export const sessionCookie = (kind: SessionKind): string => PLACES[kind].cookie;

/** Whether this is the token of a session: good in its cookie alone. */
export function isSessionToken(token: string): boolean {
  return Object.values(PLACES).some(({ prefix }) => token.startsWith(prefix));
}

/**
 * The session in a `Cookie` header; undefined where there is none, or nothing that could be one.
 * Whether its cookie is one that this installation sets is for {@link SessionCookies.isOwn} to say.
 */
export function sessionIn(header: string | undefined, kind: SessionKind): SessionInCookie | undefined {
  if (header === undefined) return undefined;
  const cookies = parseCookie(header);
  const { cookie: name, prefix } = PLACES[kind];
  const cookie = `${HOST_PREFIX}${name}` in cookies ? `${HOST_PREFIX}${name}` : name;
  const token = cookies[cookie];
  return token?.startsWith(prefix) && FORM.test(token.slice(prefix.length)) ? { token, cookie } : undefined;
}

/**
 * The kinds of sessions that a `Cookie` header may hold: a hint for pages, which cannot read the
 * cookies.
 */
export function sessionKindsIn(header: string | undefined): SessionKind[] {
  return (Object.keys(PLACES) as SessionKind[]).filter((kind) => sessionIn(header, kind) !== undefined);
}

/**
 * Gives browsers the cookies of sessions, and takes them away: out of reach of scripts, never sent
 * by pages of other sites. Where PUBLIC_URL is https they are sent over TLS alone, and other hosts
 * of the domain cannot set them.
 */
@Injectable()
export class SessionCookies {
  constructor(private readonly settings: PlatformSettings) {}

  /**
   * Whether this installation sets cookies of that name: one without the prefix may be another
   * host's.
   */
  isOwn(kind: SessionKind, cookie: string): boolean {
    return cookie === this.nameOf(kind);
  }

  /** For {@link SESSION_SECONDS} from now on. */
  give(reply: FastifyReply, kind: SessionKind, token: string): void {
    this.set(reply, kind, { value: token, maxAge: SESSION_SECONDS });
  }

  take(reply: FastifyReply, kind: SessionKind): void {
    // The guard may have prolonged it for the request that ends it.
    reply.removeHeader('set-cookie');
    this.set(reply, kind, { value: '', maxAge: 0 });
  }

  private get isSecure(): boolean {
    return new URL(this.settings.publicUrl).protocol === 'https:';
  }

  private nameOf(kind: SessionKind): string {
    return `${this.isSecure ? HOST_PREFIX : ''}${PLACES[kind].cookie}`;
  }

  private set(reply: FastifyReply, kind: SessionKind, content: { value: string; maxAge: number }): void {
    const name = this.nameOf(kind);
    const secure = this.isSecure;
    const flags = { httpOnly: true, sameSite: 'strict', path: '/', secure } as const;
    void reply.header('set-cookie', stringifySetCookie({ name, ...content, ...flags }));
  }
}
