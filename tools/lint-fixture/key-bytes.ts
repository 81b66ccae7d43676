// as libs/signing/src/index.ts: house/no-key-bytes
import { createHmac } from 'node:crypto';

export const sign = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest();
