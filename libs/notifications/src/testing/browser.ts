import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import type { ReceivedRequest } from '@tieline/testing';

/** 65 bytes that are not a point on the P-256 curve. */
export const OFF_CURVE = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 1)]).toString('base64url');

/** A browser with subscription keys that decrypts pushes (RFC 8291 and 8188). */
export class Browser {
  private readonly curve = createECDH('prime256v1');
  private readonly auth = randomBytes(16);
  readonly point = this.curve.generateKeys();

  get keys(): { p256dh: string; auth: string } {
    return { p256dh: this.point.toString('base64url'), auth: this.auth.toString('base64url') };
  }

  read({ body }: ReceivedRequest): unknown {
    const salt = body.subarray(0, 16);
    const idLength = body.readUInt8(20);
    const sender = body.subarray(21, 21 + idLength);
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.point, sender]);
    const secret = Buffer.from(hkdfSync('sha256', this.curve.computeSecret(sender), this.auth, info, 32));
    const key = Buffer.from(
      hkdfSync('sha256', secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16),
    );
    const nonce = Buffer.from(hkdfSync('sha256', secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12));
    const sealed = body.subarray(21 + idLength);
    const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(sealed.subarray(-16));
    const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
    return JSON.parse(plain.subarray(0, plain.lastIndexOf(2)).toString());
  }
}
