export {
  equalsSecret,
  isFreshTimestamp,
  signDottedV1,
  slackSignature,
  signVersioned,
  signStandardWebhook,
  verifyBody,
  verifyColon,
  verifyV0,
  verifyDotted,
  verifyVersioned,
} from './signing-schemes.js';
export { hashToken, newSigningSecret, newToken } from './tokens.js';
export { SecretBox, SecretBoxError, deriveKey, type SecretKeys } from './secret-box.js';
export { previousOf, RowSecret, type SealedSecrets, type SecretColumn } from './secret-columns.js';
export { SigningModule } from './signing.module.js';
export {
  LIVE_PREVIOUS_SECRET,
  NO_PREVIOUS_SECRET,
  openLive,
  overlapping,
  rotateSecret,
  serviceSignatures,
  signStandardWebhookLive,
} from './rotation/live-secrets.js';
export type { LiveSecrets, RotatedSecret } from './rotation/live-secrets.js';
export {
  PREVIOUS_SECRET,
  PREVIOUS_SECRET_FIELD,
  previousSecretView,
  rotatedSecretView,
  unexpired,
} from './rotation/previous-secret.view.js';
export { overlapOf, RotateSecretDto } from './rotation/rotate-secret.dto.js';
