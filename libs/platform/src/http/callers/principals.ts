import { sessionPrefix } from './session-cookies.js';
import type { SessionKind } from './session-cookies.js';
import type { TokenPrefix } from './token-prefixes.js';

/** A bot, authenticated by its bearer token. */
export interface BotPrincipal {
  readonly kind: 'bot';
  readonly botId: string;
  readonly spaceId: string;
  /** The channels that its reading is narrowed to; empty: all of them. */
  readonly channelIds: readonly string[];
}

/** What a person may do in their space (decisions, section 7). */
export type Role = 'owner' | 'admin' | 'member' | 'guest';

/** A person, authenticated by a user token. */
export interface UserPrincipal {
  readonly kind: 'user';
  readonly userId: string;
  readonly spaceId: string;
  readonly role: Role;
}

/** Whoever runs this installation. */
export interface OperatorPrincipal {
  readonly kind: 'operator';
}

/**
 * The holder of a token for one object. The lib of that object says what it opens, and in whose
 * name.
 */
export interface CapabilityPrincipal {
  readonly kind: 'capability';
  readonly token: string;
}

/** Who calls an endpoint. */
export type Principal = BotPrincipal | UserPrincipal | OperatorPrincipal | CapabilityPrincipal;
/** How the admin endpoints see the caller: a person whose role is admin or owner. */
export type AdminPrincipal = UserPrincipal;

/**
 * Answers who a bearer token belongs to, or undefined when it is unknown, revoked, disabled or of
 * an inactive space.
 */
export type TokenResolver = (token: string) => Promise<Principal | undefined>;

/** What the OpenAPI document says about the tokens of a security scheme. */
export interface TokenDescription {
  readonly scheme: 'bot' | 'client';
  readonly text: string;
}

/** How the sessions of one kind are found. */
export interface SessionResolver {
  /**
   * The caller behind a session that is open, without prolonging it: for whoever looks whether it
   * still is.
   */
  readonly find: TokenResolver;
  /** The same for a request of the caller's; whether the end of the session moved. */
  readonly use: (token: string) => Promise<UsedSession>;
}

/** What a request with a session found. */
export interface UsedSession {
  readonly principal: Principal | undefined;
  readonly prolonged: boolean;
}

/**
 * The port between authentication and the libs that know tokens: each registers the prefix of its
 * own. So nobody imports such a lib just to be protected.
 */
export class TokenResolvers {
  private readonly byPrefix = new Map<string, TokenResolver>();
  private readonly sessions = new Map<SessionKind, SessionResolver>();
  private readonly texts: Partial<Record<TokenDescription['scheme'], string>> = {};

  /** @throws Error when the prefix is taken. */
  register(prefix: TokenPrefix, resolver: TokenResolver, description?: TokenDescription): void {
    if (this.byPrefix.has(prefix)) throw new Error(`a resolver for ${prefix} is registered already`);
    this.byPrefix.set(prefix, resolver);
    if (description !== undefined) this.texts[description.scheme] = description.text;
  }

  /**
   * The sessions of one kind; their tokens are resolved like all others. @throws Error when there
   * are such already
   */
  registerSessions(kind: SessionKind, sessions: SessionResolver): void {
    this.register(sessionPrefix(kind), sessions.find);
    this.sessions.set(kind, sessions);
  }

  /** Who comes with this session. */
  async use(kind: SessionKind, token: string): Promise<UsedSession> {
    return (await this.sessions.get(kind)?.use(token)) ?? { principal: undefined, prolonged: false };
  }

  /** How the document describes the tokens of each scheme that was registered with a text. */
  get descriptions(): Readonly<Partial<Record<string, string>>> {
    return this.texts;
  }

  /** The principal behind a token of any kind. */
  async resolve(token: string): Promise<Principal | undefined> {
    const prefix = token.slice(0, token.indexOf('_') + 1);
    return this.byPrefix.get(prefix)?.(token);
  }

  /**
   * Looks up a token of each kind that does not exist, the way requests do. @throws Error when that
   * fails
   */
  async check(): Promise<void> {
    await Promise.all([...this.byPrefix].map(([prefix, resolve]) => resolve(`${prefix}readiness`)));
  }
}
