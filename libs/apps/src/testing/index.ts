export { ISSUER, OAuthFixture, REDIRECT_URI, startAppsApi } from './oauth-fixture.js';
export type { OAuthAnswer, SeededApp } from './oauth-fixture.js';
