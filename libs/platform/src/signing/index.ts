export {
  TIMESTAMP_WINDOW_SECONDS,
  isFreshTimestamp,
  signDottedV1,
  signV0,
  signDotted,
  signVersioned,
  signStandardWebhook,
  verifyDottedV1,
  verifyV0,
  verifyDotted,
  verifyVersioned,
  verifyStandardWebhook,
  type UnixSeconds,
} from './signing-schemes.js';
export { hashToken, newSigningSecret, newToken } from './tokens.js';
export { SecretBox, SecretBoxError, deriveKey, type SecretKeys } from './secret-box.js';
export type { SecretColumn } from './secret-columns.js';
export { SigningModule } from './signing.module.js';
