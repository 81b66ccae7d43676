import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Allow, IsObject, IsString, Matches, MaxLength } from 'class-validator';
import { BodyExample, Nested } from '@tieline/platform/http';

const P256DH = /^B[A-Za-z0-9_-]{86}=?$/;
const AUTH = /^[A-Za-z0-9_-]{22}(?:==)?$/;

/**
 * Keys of a browser's push subscription, in base64url: a P-256 point of 65 bytes and 16 random
 * bytes.
 */
export class PushKeysDto {
  @ApiProperty({ pattern: P256DH.source, description: 'uncompressed P-256 point, base64url' })
  @Matches(P256DH, { message: 'keys.p256dh must be the base64url of 65 bytes' })
  p256dh: string;

  @ApiProperty({ pattern: AUTH.source, description: '16 bytes, base64url' })
  @Matches(AUTH, { message: 'keys.auth must be the base64url of 16 bytes' })
  auth: string;
}

/** The result of a browser's `PushSubscription.toJSON()`. `expirationTime` is ignored. */
@BodyExample('as a browser returns it', {
  endpoint: 'https://push.example/send/abc',
  keys: {
    p256dh: 'BChiLgbRJFWq3QCnNKRgyf4sGPuem8STrybs2fQwBsYQ0hEN6d8rzwptWun4s2up3aC3BM70eOGPCd4iif7Tvf0',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
})
export class PushSubscriptionDto {
  @ApiProperty({
    pattern: '^[Hh][Tt][Tt][Pp][Ss]?://',
    maxLength: 2048,
    example: 'https://push.example/send/abc',
  })
  @IsString({ message: 'endpoint must be an HTTPS URL' })
  @MaxLength(2048, { message: 'endpoint must be an HTTPS URL' })
  endpoint: string;

  @ApiProperty({ type: PushKeysDto })
  @IsObject({ message: 'keys must be an object' })
  @Nested(() => PushKeysDto)
  keys: PushKeysDto;

  @ApiPropertyOptional({ type: 'number', nullable: true, description: 'as the browser returns it; ignored' })
  @Allow()
  expirationTime?: unknown;
}
