import { Injectable } from '@nestjs/common';
import { PlatformSettings } from '@tieline/platform/config';
import { TOKEN_PREFIXES } from '@tieline/platform/http';
import { InteractiveSettings } from '../interactive.settings.js';
import { SignedSubjects } from '../triggers/signed-subjects.js';
import { decodeSubject, encodeSubject } from './response-subject.js';
import type { ResponseSubject } from './response-subject.js';

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
  private readonly signed: SignedSubjects;
  private readonly publicUrl: string;
  private readonly ttlMs: number;

  constructor(settings: PlatformSettings, { responseTokenTtlSeconds }: InteractiveSettings) {
    this.signed = new SignedSubjects(settings, 'response-token', TOKEN_PREFIXES.response);
    this.publicUrl = settings.publicUrl;
    this.ttlMs = responseTokenTtlSeconds * 1000;
  }

  /** Issues a token that expires after RESPONSE_TOKEN_TTL_SECONDS. */
  issue(spaceId: string, subject: Omit<ResponseSubject, 'expiresAt'>): ResponseFields {
    const body = encodeSubject({ ...subject, expiresAt: Date.now() + this.ttlMs });
    const token = this.signed.issue(spaceId, body);
    return { response_token: token, response_url: this.publicUrl + PATH + token };
  }

  /**
   * Returns the subject of a token, expired or not; undefined if it is not a token of this space.
   */
  read(spaceId: string, token: string): ResponseSubject | undefined {
    const body = this.signed.read(spaceId, token);
    return body && decodeSubject(body);
  }
}
