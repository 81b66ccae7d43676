import type { SignedRequest } from './receiver.js';

const WINDOW_SECONDS = 300;
const SCHEMES = {
  /** Callbacks: `sha256=` of `v1:<timestamp>:<body>`. */
  outgoing: { prefix: 'sha256=', before: (timestamp: string) => `v1:${timestamp}:` },
  /** Pushes: `v1=` of `<timestamp>.<body>`. */
  bot_push: { prefix: 'v1=', before: (timestamp: string) => `${timestamp}.` },
} as const;

/** A signature that is genuine. */
export interface Signature {
  scheme: keyof typeof SCHEMES;
  hex: string;
}

/** @returns the signature by one of the secrets, if there is one and it is not older (or newer) than five minutes */
export async function verified(
  request: SignedRequest,
  secrets: readonly string[],
): Promise<Signature | undefined> {
  const timestamp = request.header('x-service-timestamp') ?? '';
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > WINDOW_SECONDS)
    return undefined;
  for (const name of ['x-service-signature', 'x-service-signature-previous']) {
    const signature = read(request.header(name));
    if (!signature) continue;
    for (const secret of secrets)
      if (await isBy(secret, signature, timestamp, request.body)) return signature;
  }
  return undefined;
}

function read(given = ''): Signature | undefined {
  for (const scheme of ['outgoing', 'bot_push'] as const) {
    const { prefix } = SCHEMES[scheme];
    const hex = given.slice(prefix.length);
    if (given.startsWith(prefix) && /^[0-9a-f]{64}$/.test(hex)) return { scheme, hex };
  }
  return undefined;
}

/** Compares in constant time. The key is the whole text of the secret. */
async function isBy(
  secret: string,
  { scheme, hex }: Signature,
  timestamp: string,
  body: Uint8Array,
): Promise<boolean> {
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['verify']);
  const before = encoder.encode(SCHEMES[scheme].before(timestamp));
  const signed = new Uint8Array(before.length + body.length);
  signed.set(before);
  signed.set(body, before.length);
  const signature = Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  return crypto.subtle.verify('HMAC', key, signature, signed);
}
