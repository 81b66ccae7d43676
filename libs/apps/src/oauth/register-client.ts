import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Db } from '@tieline/platform/database';
import { hashToken } from '@tieline/signing';
import { redirectUriProblem } from '../redirect-uri.js';
import { COUNT_CLIENTS, PUT_RECORD } from './records.statements.js';

/** Prefix of the ids of clients that registered themselves. */
export const REGISTERED_PREFIX = 'reg_';
const ID_BYTES = 16;
const SECONDS = 90 * 24 * 3600;
const MAX_CLIENTS = 10_000;
const MAX_REDIRECT_URIS = 10;
const MAX_NAME = 64;

/** A response of the registration endpoint (RFC 7591). */
export interface RegistrationAnswer {
  status: number;
  body: object;
}

/** Registers clients that register themselves. */
@Injectable()
export class RegisterClient {
  constructor(private readonly db: Db) {}

  /**
   * Registers a public client for 90 days. It gets tokens of people, but no bot
   * (docs/oauth.md#dynamic-registration).
   */
  async run(body: unknown): Promise<RegistrationAnswer> {
    const wanted = isObject(body) ? body : {};
    const problem = redirectUrisProblem(wanted.redirect_uris);
    if (problem !== undefined) return refused('invalid_redirect_uri', problem);
    const { client_name: name = 'An application', token_endpoint_auth_method: method = 'none' } = wanted;
    if (method !== 'none') return refused('invalid_client_metadata', 'clients that register have no secret');
    if (typeof name !== 'string' || !isOneLine(name))
      return refused(
        'invalid_client_metadata',
        `client_name must be one line of 1 to ${MAX_NAME} characters`,
      );
    const [clients] = await this.db.query(COUNT_CLIENTS, [MAX_CLIENTS]);
    if ((clients?.n ?? 0) >= MAX_CLIENTS)
      return refused('temporarily_unavailable', 'too many clients are registered', 503);
    const metadata = {
      client_id: `${REGISTERED_PREFIX}${randomBytes(ID_BYTES).toString('base64url')}`,
      client_name: name,
      redirect_uris: wanted.redirect_uris as string[],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
    await this.db.query(PUT_RECORD, {
      idHash: hashToken(metadata.client_id),
      kind: 'Client',
      grantHash: null,
      payload: JSON.stringify({ ...metadata, application_type: 'web' }),
      seconds: SECONDS,
    });
    return { status: 201, body: { ...metadata, client_id_issued_at: Math.floor(Date.now() / 1000) } };
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isOneLine = (text: string): boolean =>
  text.trim() !== '' && text.length <= MAX_NAME && !/[\u0000-\u001f\u007f\u2028\u2029]/.test(text);

function redirectUrisProblem(uris: unknown): string | undefined {
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > MAX_REDIRECT_URIS)
    return `redirect_uris must be a list of 1 to ${MAX_REDIRECT_URIS} addresses`;
  for (const uri of uris as unknown[]) {
    const problem = typeof uri === 'string' ? redirectUriProblem(uri) : 'must be addresses';
    if (problem !== undefined) return `redirect_uris ${problem}`;
  }
  return undefined;
}

function refused(error: string, description: string, status = 400): RegistrationAnswer {
  return { status, body: { error, error_description: description } };
}
