import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { isScope, TokenResolvers } from '@tieline/platform/http';
import type { Principal, Scope, TokenPrefix } from '@tieline/platform/http';

const PREFIX = 'tlx_' as TokenPrefix;

/** Returns a token for the same caller with only these scopes, for a {@link TestApi}. */
export const limitedToken = (token: string, ...scopes: Scope[]): string =>
  `${PREFIX}${scopes.join('+')}/${token}`;

/** Lets an application resolve the tokens of {@link limitedToken}. */
export function resolveLimitedTokens(app: NestFastifyApplication): void {
  const resolvers = app.get(TokenResolvers, { strict: false });
  resolvers.register(PREFIX, async (limited): Promise<Principal | undefined> => {
    const slash = limited.indexOf('/');
    const principal = await resolvers.resolve(limited.slice(slash + 1));
    if (principal?.kind !== 'bot' && principal?.kind !== 'user') return principal;
    const scopes = limited.slice(PREFIX.length, slash).split('+').filter(isScope);
    return { ...principal, scopes: new Set(scopes) };
  });
}
