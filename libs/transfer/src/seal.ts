import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Hmac } from 'node:crypto';
import { FORMAT, MAX_LINE_BYTES } from './dump-format.js';
import type { DumpHead, TransferKey } from './dump-format.js';
import { TransferRefused } from './transfer-refused.js';

const NEWLINE = 0x0a;
const SEAL_BYTES = sealLine(Buffer.alloc(32)).length;

/** Returns the last line of an export: the HMAC-SHA256 over all lines before it. */
export function sealLine(mac: Buffer): string {
  return `${JSON.stringify({ hmac: mac.toString('hex') })}\n`;
}

/**
 * Yields the lines of an export without its seal, and throws at the end if the seal is not right.
 * Consume it all before you trust any of it.
 *
 * @param keys the known keys; the head of the file says which one sealed it.
 * @throws TransferRefused when it is not an export, was sealed under an unknown key, is cut off or
 * was changed.
 */
export async function* unseal(
  dump: AsyncIterable<Buffer>,
  keys: readonly TransferKey[],
): AsyncGenerator<Buffer> {
  let mac: Hmac | undefined;
  // Holds back the possible seal; everything until the head is complete.
  let held = Buffer.alloc(0);
  for await (const chunk of dump) {
    held = Buffer.concat([held, chunk]);
    mac ??= macOf(held, keys);
    if (!mac || held.length <= SEAL_BYTES) continue;
    const content = held.subarray(0, held.length - SEAL_BYTES);
    held = held.subarray(content.length);
    mac.update(content);
    yield content;
  }
  if (!mac) throw new TransferRefused('this is not an export of Tieline');
  const expected = Buffer.from(sealLine(mac.digest()));
  if (held.length !== expected.length || !timingSafeEqual(held, expected))
    throw new TransferRefused('the file is cut off or was changed after the export');
}

/** Returns the HMAC to check with, once the first line is complete. */
function macOf(start: Buffer, keys: readonly TransferKey[]): Hmac | undefined {
  const end = start.indexOf(NEWLINE);
  if (end < 0) {
    if (start.length > MAX_LINE_BYTES) throw new TransferRefused('this is not an export of Tieline');
    return undefined;
  }
  const head = parsed(start.toString('utf8', 0, end));
  if (head?.format === 'tieline-export-1')
    throw new TransferRefused(
      'the export was made by another version of Tieline: import it with the version that made it, then upgrade',
    );
  if (head?.format !== FORMAT) throw new TransferRefused('this is not an export of Tieline');
  const key = keys.find(({ id }) => id === head.key);
  if (!key)
    throw new TransferRefused(
      'the export was made under another SECRET_KEY: set that one, or name it in SECRET_KEYS_OLD; without it neither the file can be checked nor the secrets in it opened',
    );
  return createHmac('sha256', key.seal);
}

function parsed(line: string): { [key in keyof DumpHead]?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
