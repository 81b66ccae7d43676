export {
  isFreshTimestamp,
  signDottedV1,
  signVersioned,
  signStandardWebhook,
  verifyV0,
  verifyDotted,
  verifyVersioned,
} from './signing-schemes.js';
export { hashToken, newSigningSecret, newToken } from './tokens.js';
export { SecretBox, SecretBoxError, deriveKey, type SecretKeys } from './secret-box.js';
export type { SecretColumn } from './secret-columns.js';
export { SigningModule } from './signing.module.js';
