export {
  TIMESTAMP_WINDOW_SECONDS,
  isFreshTimestamp,
  signBotPush,
  signIncomingCompat,
  signIncomingNative,
  signOutgoing,
  signStandardWebhook,
  verifyBotPush,
  verifyIncomingCompat,
  verifyIncomingNative,
  verifyOutgoing,
  verifyStandardWebhook,
  type UnixSeconds,
} from './signing-schemes.js';
export {
  hashToken,
  newBotToken,
  newCapabilityToken,
  newIncomingWebhookToken,
  newSigningSecret,
  newUserToken,
  tokenKind,
  type TokenKind,
} from './tokens.js';
export { SecretBox, SecretBoxError, deriveKey, type SecretKeys } from './secret-box.js';
export type { SecretColumn } from './secret-columns.js';
export { reencryptSecrets, type ReencryptionResult } from './reencrypt-secrets.js';
export { SigningModule } from './signing.module.js';
