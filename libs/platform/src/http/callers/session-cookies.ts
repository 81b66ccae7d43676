import { Injectable } from '@nestjs/common';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply } from 'fastify';
import { PlatformSettings } from '../../config/index.js';
import { TOKEN_PREFIXES } from './token-prefixes.js';
import type { TokenPrefix } from './token-prefixes.js';

/** The owner of the session. */
export type SessionKind = 'person' | 'operator';

/** A session ends this long after its last use. */
export const SESSION_SECONDS = 12 * 3600;
/** A session ends this long after its start, however often it is used. */
export const SESSION_MAX_SECONDS = 30 * 24 * 3600;

/**
 * The cookie of each kind of session, and the prefix of its token. The token is valid only in its
 * cookie.
 */
const PLACES: Readonly<Record<SessionKind, { cookie: string; prefix: TokenPrefix }>> = {
  person: { cookie: 'tieline_session', prefix: TOKEN_PREFIXES.session },
  operator: { cookie: 'tieline_operator_session', prefix: TOKEN_PREFIXES.operatorSession },
};
const FORM = /^[A-Za-z0-9_-]{43}$/;
/**
 * Browsers accept a cookie with this prefix only from this very host over TLS: no other host of the
 * domain can set one.
 */
const HOST_PREFIX = '__Host-';

/** The session of a request. */
export interface SessionInCookie {
  readonly token: string;
  /** Name of the cookie that contained it. */
  readonly cookie: string;
}

/** Prefix of the tokens of these sessions. */
export const sessionPrefix = (kind: SessionKind): TokenPrefix => PLACES[kind].prefix;
/** Name of the cookie with the token of such a session; with `https` it begins with `__Host-`. */
export const sessionCookie = (kind: SessionKind): string => PLACES[kind].cookie;

/** Returns whether this is a session token, which is valid only in its cookie. */
export function isSessionToken(token: string): boolean {
  return Object.values(PLACES).some(({ prefix }) => token.startsWith(prefix));
}

/**
 * Returns the session in a `Cookie` header; undefined without a well-formed one. Use {@link
 * SessionCookies.isOwn} to check whether this installation sets its cookie.
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
 * Returns the kinds of sessions that a `Cookie` header may contain: a hint for pages, which cannot
 * read the cookies.
 */
export function sessionKindsIn(header: string | undefined): SessionKind[] {
  return (Object.keys(PLACES) as SessionKind[]).filter((kind) => sessionIn(header, kind) !== undefined);
}

/**
 * Sets and removes session cookies. Scripts cannot read them, and pages of other sites never send
 * them. If PUBLIC_URL is https they are sent only over TLS, and other hosts of the domain cannot
 * set them.
 */
@Injectable()
export class SessionCookies {
  constructor(private readonly settings: PlatformSettings) {}

  /**
   * Returns whether this installation sets cookies of that name: one without the prefix may come
   * from another host.
   */
  isOwn(kind: SessionKind, cookie: string): boolean {
    return cookie === this.nameOf(kind);
  }

  /** Sets the cookie for {@link SESSION_SECONDS} from now on. */
  give(reply: FastifyReply, kind: SessionKind, token: string): void {
    this.set(reply, kind, { value: token, maxAge: SESSION_SECONDS });
  }

  take(reply: FastifyReply, kind: SessionKind): void {
    // The guard may have prolonged the session for the request that ends it.
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
