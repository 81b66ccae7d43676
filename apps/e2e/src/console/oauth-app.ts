import type { Receiver } from '@tieline/testing';
import * as oauth from 'oauth4webapi';
import type { ConsoleHarness } from './browser.js';

/** The product under test is served without TLS. */
const INSECURE = { [oauth.allowInsecureRequests]: true };
const SCOPE = 'messages:write messages:read';

/** A request that a browser is sent to. */
interface AuthorizationRequest {
  address: string;
  state: string;
  verifier: string;
}

/** An app with a stock client of OAuth, whose redirect URI is a server on loopback. */
export class OAuthApp {
  private constructor(
    readonly receiver: Receiver,
    private readonly server: oauth.AuthorizationServer,
    private readonly client: oauth.Client,
    private readonly secret: string,
  ) {}

  /** Creates an app as an admin. */
  static async create(harness: ConsoleHarness, adminToken: string): Promise<OAuthApp> {
    const receiver = await harness.tieline.receiver();
    receiver.respond({ headers: { 'content-type': 'text/html' }, body: '<title>app</title>' });
    const { app, client_secret } = await harness.call('POST', '/api/v1/admin/apps', adminToken, {
      name: 'Deploys',
      homepage_url: 'https://deploys.example',
      install_url: 'https://deploys.example/install',
      redirect_uris: [`${receiver.url}/callback`],
      bot_scopes: ['messages:write'],
      user_scopes: ['messages:read'],
    });
    const issuer = new URL(harness.origin);
    const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...INSECURE });
    const server = await oauth.processDiscoveryResponse(issuer, found);
    return new OAuthApp(receiver, server, { client_id: app.client_id }, client_secret);
  }

  get redirectUri(): string {
    return `${this.receiver.url}/callback`;
  }

  /** Begins an authorization, as the app does when a person presses “Connect”. */
  async begin(): Promise<AuthorizationRequest> {
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const address = new URL(this.server.authorization_endpoint ?? '');
    address.search = new URLSearchParams({
      client_id: this.client.client_id,
      redirect_uri: this.redirectUri,
      response_type: 'code',
      scope: SCOPE,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).toString();
    return { address: address.href, state, verifier };
  }

  /** Exchanges the code that the browser brought. @throws if the browser brought an error */
  async exchange(callback: string, { state, verifier }: AuthorizationRequest): Promise<Record<string, any>> {
    const parameters = oauth.validateAuthResponse(this.server, this.client, new URL(callback), state);
    const response = await oauth.authorizationCodeGrantRequest(
      this.server,
      this.client,
      oauth.ClientSecretPost(this.secret),
      parameters,
      this.redirectUri,
      verifier,
      INSECURE,
    );
    return oauth.processAuthorizationCodeResponse(this.server, this.client, response);
  }
}
