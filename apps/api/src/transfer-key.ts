import { deriveKey, SecretBox } from '@tieline/signing';
import type { TransferKey } from '@tieline/transfer';

/** Returns the key that seals exports under a SECRET_KEY. @param secretKey base64 of 32 bytes */
export function transferKey(secretKey: string): TransferKey {
  const { currentHeader } = SecretBox.fromSettings({ secretKey, secretKeysOld: [] });
  return { id: currentHeader.toString('hex'), seal: deriveKey(secretKey, 'export') };
}
