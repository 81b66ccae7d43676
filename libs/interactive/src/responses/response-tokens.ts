import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { PlatformSettings } from '@tieline/platform/config';
import { TOKEN_PREFIXES } from '@tieline/platform/http';
import { deriveKey } from '@tieline/signing';
import { InteractiveSettings } from '../interactive.settings.js';
import { decodeSubject, encodeSubject, SUBJECT_BYTES } from './response-subject.js';
import type { ResponseSubject } from './response-subject.js';

const KEY_USE = 'response-token';
const PREFIX = TOKEN_PREFIXES.response;
const PATH = '/api/v1/bot/responses/';

/** Fields of an event that allow a late answer. */
export interface ResponseFields {
  response_token: string;
  response_url: string;
}

/**
 * Issues and reads response tokens. A token contains its subject, signed with a key derived from
 * SECRET_KEY, so that events need no row. Tokens stay valid after a rotation of SECRET_KEY while
 * the old key is configured.
 */
@Injectable()
export class ResponseTokens {
  private readonly keys: readonly [Buffer, ...Buffer[]];
  private readonly publicUrl: string;
  private readonly ttlMs: number;

  constructor(
    { secretKey, secretKeysOld, publicUrl }: PlatformSettings,
    { responseTokenTtlSeconds }: InteractiveSettings,
  ) {
    this.keys = [deriveKey(secretKey, KEY_USE), ...secretKeysOld.map((key) => deriveKey(key, KEY_USE))];
    this.publicUrl = publicUrl;
    this.ttlMs = responseTokenTtlSeconds * 1000;
  }

  /** Issues a token that expires after RESPONSE_TOKEN_TTL_SECONDS. */
  issue(spaceId: string, subject: Omit<ResponseSubject, 'expiresAt'>): ResponseFields {
    const body = encodeSubject({ ...subject, expiresAt: Date.now() + this.ttlMs });
    const signed = Buffer.concat([body, signatureOf(this.keys[0], spaceId, body)]);
    const token = PREFIX + signed.toString('base64url');
    return { response_token: token, response_url: this.publicUrl + PATH + token };
  }

  /**
   * Returns the subject of a token, expired or not; undefined if it is not a token of this space.
   */
  read(spaceId: string, token: string): ResponseSubject | undefined {
    if (!token.startsWith(PREFIX)) return undefined;
    const signed = Buffer.from(token.slice(PREFIX.length), 'base64url');
    const body = signed.subarray(0, SUBJECT_BYTES);
    const given = signed.subarray(SUBJECT_BYTES);
    const isGenuine = this.keys.some((key) => isEqual(given, signatureOf(key, spaceId, body)));
    return isGenuine ? decodeSubject(body) : undefined;
  }
}

function signatureOf(key: Buffer, spaceId: string, body: Buffer): Buffer {
  return createHmac('sha256', key).update(`${spaceId}:`).update(body).digest();
}

function isEqual(given: Buffer, wanted: Buffer): boolean {
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
