import { createHmac, timingSafeEqual } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { PlatformSettings } from '@tieline/platform/config';
import { deriveKey } from '@tieline/signing';
import { UPLOADS_PATH } from '../paths.js';

const KEY_USE = 'slack-upload';
const UUID_BYTES = 16;
const SUBJECT_BYTES = 2 * UUID_BYTES + 8;
const PATTERN = /^[\w-]{96}$/;

/** The file that an upload address is for. */
export interface UploadSubject {
  readonly spaceId: string;
  readonly id: string;
  /** Unix seconds. The address works up to and including this second. */
  readonly expiresAt: number;
}

/**
 * Issues and reads the tokens in upload addresses. A token contains its file, signed with a key
 * derived from SECRET_KEY, and stays valid after a rotation while the old key is configured.
 */
@Injectable()
export class UploadTokens {
  private readonly keys: readonly [KeyObject, ...KeyObject[]];
  private readonly publicUrl: string;

  constructor({ secretKey, secretKeysOld, publicUrl }: PlatformSettings) {
    this.keys = [deriveKey(secretKey, KEY_USE), ...secretKeysOld.map((key) => deriveKey(key, KEY_USE))];
    this.publicUrl = publicUrl;
  }

  /** Returns the address that accepts the bytes of a file. */
  urlOf(subject: UploadSubject): string {
    const body = encode(subject);
    const token = Buffer.concat([body, signatureOf(this.keys[0], body)]).toString('base64url');
    return `${this.publicUrl}/${UPLOADS_PATH}/${token}`;
  }

  /** Returns the subject of a token; undefined if it is not genuine or has expired. */
  read(token: string, nowMs = Date.now()): UploadSubject | undefined {
    if (!PATTERN.test(token)) return undefined;
    const signed = Buffer.from(token, 'base64url');
    const body = signed.subarray(0, SUBJECT_BYTES);
    const given = signed.subarray(SUBJECT_BYTES);
    if (!this.keys.some((key) => timingSafeEqual(given, signatureOf(key, body)))) return undefined;
    const subject = decode(body);
    return Math.floor(nowMs / 1000) > subject.expiresAt ? undefined : subject;
  }
}

function signatureOf(key: KeyObject, body: Buffer): Buffer {
  return createHmac('sha256', key).update(body).digest();
}

function encode({ spaceId, id, expiresAt }: UploadSubject): Buffer {
  const expiry = Buffer.alloc(8);
  expiry.writeBigUInt64BE(BigInt(expiresAt));
  return Buffer.concat([bytesOf(spaceId), bytesOf(id), expiry]);
}

function decode(body: Buffer): UploadSubject {
  return {
    spaceId: uuidIn(body.subarray(0, UUID_BYTES)),
    id: uuidIn(body.subarray(UUID_BYTES, 2 * UUID_BYTES)),
    expiresAt: Number(body.readBigUInt64BE(2 * UUID_BYTES)),
  };
}

const bytesOf = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex');

function uuidIn(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
