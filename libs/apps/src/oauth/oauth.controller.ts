import { applyDecorators, Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiExcludeEndpoint,
  ApiOperation,
  ApiResponse,
  ApiTags,
} from '@nestjs/swagger';
import { PlatformSettings } from '@tieline/platform/config';
import {
  addressOf,
  Answers,
  documentErrorsIn,
  ErrorShape,
  Failures,
  notFound,
  SCOPES,
  UnparsedBody,
} from '@tieline/platform/http';
import type { RawBodyRequest } from '@tieline/platform/http';
import type { FastifyReply } from 'fastify';
import { OAuthSettings } from '../apps.settings.js';
import { OAuthExchange } from './exchange.js';
import { RegisteredClientAnswer, ServerMetadataAnswer, TokenAnswer } from './oauth.view.js';
import { RegisterClient } from './register-client.js';
import { AUTHORIZE_PATH, REGISTER_PATH, REVOKE_PATH, SERVER_METADATA_PATH, TOKEN_PATH } from './paths.js';

const FORM = 'application/x-www-form-urlencoded';
/** Each is stored for 90 days. */
const REGISTRATIONS_PER_MINUTE = 10;
const CLIENT_ID = 'K1Yk8iRzq0SxVY2i3kQ1xA';

/** Takes and documents a form. Client generators cannot handle its fields, so a text names them. */
const FormBody = (description: string, example: Record<string, string>): MethodDecorator =>
  applyDecorators(
    UnparsedBody(),
    ApiConsumes(FORM),
    ApiBody({
      description,
      schema: { type: 'object', additionalProperties: { type: 'string' } },
      examples: { 'a public client': { value: example } },
    }),
  );

/** The endpoints of OAuth 2.1, whose shapes are those of its standards (docs/oauth.md). */
@Controller()
@ErrorShape('oauth')
@ApiTags('public: oauth')
export class OAuthController {
  private readonly started: Failures;
  private readonly registered: Failures;

  constructor(
    private readonly exchange: OAuthExchange,
    private readonly registerClient: RegisterClient,
    private readonly settings: PlatformSettings,
    private readonly oauth: OAuthSettings,
  ) {
    this.started = new Failures(oauth.startedPerMinute);
    this.registered = new Failures(REGISTRATIONS_PER_MINUTE);
  }

  /** Metadata of the provider (RFC 8414). */
  @Get(SERVER_METADATA_PATH)
  @ApiOperation({ operationId: 'getOAuthMetadata', summary: 'Gets the metadata of the OAuth provider' })
  @Answers(ServerMetadataAnswer)
  metadata(): ServerMetadataAnswer {
    const { publicUrl } = this.settings;
    const methods = ['client_secret_basic', 'client_secret_post', 'none'];
    return {
      issuer: publicUrl,
      authorization_endpoint: `${publicUrl}${AUTHORIZE_PATH}`,
      token_endpoint: `${publicUrl}${TOKEN_PATH}`,
      revocation_endpoint: `${publicUrl}${REVOKE_PATH}`,
      ...(this.oauth.dynamicRegistration && { registration_endpoint: `${publicUrl}${REGISTER_PATH}` }),
      scopes_supported: SCOPES,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: methods,
      revocation_endpoint_auth_methods_supported: methods,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    };
  }

  /** Starts an authorization: redirects to the consent page. */
  @Get(AUTHORIZE_PATH)
  @ApiExcludeEndpoint()
  async authorize(@Req() request: RawBodyRequest, @Res() reply: FastifyReply): Promise<void> {
    // Every request is stored until it is answered or expires.
    this.started.requireFew(addressOf(request));
    this.started.add(addressOf(request));
    return this.answer('GET', request, reply);
  }

  /** Ends an authorization: redirects to the app, with a code or an error. */
  @Get(`${AUTHORIZE_PATH}/:uid`)
  @ApiExcludeEndpoint()
  resume(@Req() request: RawBodyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.answer('GET', request, reply);
  }

  /** Gives tokens for a code or a refresh token. */
  @Post(TOKEN_PATH)
  @HttpCode(200)
  @ApiOperation({ operationId: 'exchangeToken', summary: 'Gives tokens for a code or a refresh token' })
  @FormBody(
    '`grant_type=authorization_code` with `code`, `code_verifier` and `redirect_uri`, or `grant_type=refresh_token` with `refresh_token` and optionally fewer scopes in `scope`; `client_id`, and `client_secret` of a confidential client unless both are in a Basic header',
    {
      grant_type: 'authorization_code',
      client_id: CLIENT_ID,
      code: 'a code',
      code_verifier: 'its verifier',
      redirect_uri: 'https://app.example/callback',
    },
  )
  @Answers(TokenAnswer)
  @documentErrorsIn('oauth', 400, 401, 429)
  token(@Req() request: RawBodyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.answer('POST', request, reply);
  }

  /** Revokes a token (RFC 7009). */
  @Post(REVOKE_PATH)
  @HttpCode(200)
  @ApiOperation({ operationId: 'revokeToken', summary: 'Revokes a token of an app' })
  @FormBody('`token`, `client_id`, and `client_secret` as at the token endpoint', {
    client_id: CLIENT_ID,
    token: 'tlf_…',
  })
  @ApiResponse({ status: 200, description: 'the token is not valid now, whether it was before or not' })
  @documentErrorsIn('oauth', 400, 401, 429)
  revoke(@Req() request: RawBodyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.answer('POST', request, reply);
  }

  /** Registers a client (RFC 7591), if OAUTH_DYNAMIC_REGISTRATION allows it. */
  @Post(REGISTER_PATH)
  @ApiOperation({
    operationId: 'registerClient',
    summary: 'Registers a public client (RFC 7591); 404 without OAUTH_DYNAMIC_REGISTRATION',
  })
  @ApiBody({
    description: '`redirect_uris`, and optionally `client_name`; other metadata is ignored',
    schema: { type: 'object', additionalProperties: true },
    examples: {
      'a desktop app': {
        value: { client_name: 'An assistant', redirect_uris: ['https://app.example/callback'] },
      },
    },
  })
  @Answers(RegisteredClientAnswer, { status: 201 })
  @documentErrorsIn('oauth', 400, 404, 429, 503)
  async register(@Req() request: RawBodyRequest, @Res() reply: FastifyReply): Promise<void> {
    if (!this.oauth.dynamicRegistration) throw notFound();
    this.registered.requireFew(addressOf(request));
    this.registered.add(addressOf(request));
    const { status, body } = await this.registerClient.run(request.body);
    await reply.status(status).header('cache-control', 'no-store').send(body);
  }

  private async answer(method: 'GET' | 'POST', request: RawBodyRequest, reply: FastifyReply): Promise<void> {
    const { uid } = request.params as { uid?: string };
    const pattern = request.routeOptions.url ?? '';
    const { status, headers, body } = await this.exchange.run({
      method,
      path: uid === undefined ? pattern : `${AUTHORIZE_PATH}/${encodeURIComponent(uid)}`,
      search: searchOf(request.query),
      headers: request.headers,
      body: request.rawBody,
      address: addressOf(request),
    });
    await reply
      .status(status)
      .headers(headers)
      .send(body === '' ? undefined : body);
  }
}

function searchOf(query: unknown): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query as Record<string, string | string[]>))
    for (const one of [value].flat()) search.append(name, one);
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}
