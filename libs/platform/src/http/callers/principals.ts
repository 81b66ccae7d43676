import { sessionPrefix } from './session-cookies.js';
import type { SessionKind } from './session-cookies.js';
import type { GrantedScopes } from './scopes.js';
import type { TokenPrefix } from './token-prefixes.js';

/** A bot, authenticated by its bearer token. */
export interface BotPrincipal {
  readonly kind: 'bot';
  readonly botId: string;
  readonly spaceId: string;
  /** The channels that the bot's reading is limited to; empty: all of them. */
  readonly channelIds: readonly string[];
  /** What the token allows. */
  readonly scopes: GrantedScopes;
}

/** The role of a person in their space. */
export type Role = 'owner' | 'admin' | 'member' | 'guest';

/** A person, authenticated by a user token. */
export interface UserPrincipal {
  readonly kind: 'user';
  readonly userId: string;
  readonly spaceId: string;
  readonly role: Role;
  /** What the token allows, as far as the person may do it. */
  readonly scopes: GrantedScopes;
}

/** The operator of this installation. */
interface OperatorPrincipal {
  readonly kind: 'operator';
}

/**
 * The holder of a token for one object. The lib of that object decides what it opens, and for which
 * bot.
 */
export interface CapabilityPrincipal {
  readonly kind: 'capability';
  readonly token: string;
}

/** The caller of an endpoint. */
export type Principal = BotPrincipal | UserPrincipal | OperatorPrincipal | CapabilityPrincipal;
/** The caller of the admin endpoints: a person whose role is admin or owner. */
export type AdminPrincipal = UserPrincipal;

/**
 * Returns the owner of a bearer token, or undefined when the token is unknown, revoked, disabled or
 * of an inactive space.
 */
export type TokenResolver = (token: string) => Promise<Principal | undefined>;

/** The text about the tokens of a security scheme in the OpenAPI document. */
export interface TokenDescription {
  readonly scheme: 'bot' | 'client';
  readonly text: string;
}

/** Finds the sessions of one kind. */
export interface SessionResolver {
  /**
   * Returns the caller of an open session without prolonging it, for checks whether it is still
   * open.
   */
  readonly find: TokenResolver;
  /** Returns the caller for a request, and whether the session was prolonged. */
  readonly use: (token: string) => Promise<UsedSession>;
}

/** The result of a request with a session. */
export interface UsedSession {
  readonly principal: Principal | undefined;
  readonly prolonged: boolean;
}

/**
 * The port between authentication and the libs that know tokens: each lib registers its prefix, so
 * that no lib has to be imported for protection.
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
   * Registers the sessions of one kind; their tokens are resolved like all others. @throws Error
   * when the kind is taken
   */
  registerSessions(kind: SessionKind, sessions: SessionResolver): void {
    this.register(sessionPrefix(kind), sessions.find);
    this.sessions.set(kind, sessions);
  }

  /** Returns the caller of this session. */
  async use(kind: SessionKind, token: string): Promise<UsedSession> {
    return (await this.sessions.get(kind)?.use(token)) ?? { principal: undefined, prolonged: false };
  }

  /** Descriptions of the token schemes for the document. */
  get descriptions(): Readonly<Partial<Record<string, string>>> {
    return this.texts;
  }

  /** Returns the principal of a token of any kind. */
  async resolve(token: string): Promise<Principal | undefined> {
    const prefix = token.slice(0, token.indexOf('_') + 1);
    return this.byPrefix.get(prefix)?.(token);
  }

  /** Looks up a nonexistent token of each kind, as requests do. @throws Error when that fails */
  async check(): Promise<void> {
    await Promise.all([...this.byPrefix].map(([prefix, resolve]) => resolve(`${prefix}readiness`)));
  }
}
