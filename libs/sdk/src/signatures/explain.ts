import { bytesOf } from './raw-body.js';
import type { Scheme } from './schemes.js';
import { SCHEMES } from './schemes.js';
import { verify } from './verify.js';
import type { VerifyOptions, Verification } from './verify.js';

/**
 * Like {@link verify}, and suggests why a signature is wrong by trying to undo common mistakes. For
 * debugging. Programs that receive requests call `verify`.
 * @returns with `hint` if undoing one of the mistakes makes the signature valid
 */
export async function explain(options: VerifyOptions): Promise<Verification & { readonly hint?: string }> {
  const result = await verify(options);
  if (result.ok) return result;
  for (const [hint, change] of suspicions(options, result.scheme)) {
    const attempt = await verify({ ...options, ...change }).catch(() => undefined);
    if (attempt?.ok) return { ...result, hint };
  }
  return result;
}

function suspicions(options: VerifyOptions, scheme: Scheme): [string, Partial<VerifyOptions>][] {
  const secrets = [options.secret].flat();
  const text = new TextDecoder().decode(bytesOf(options.body));
  const same = { scheme };
  const others = (Object.keys(SCHEMES) as Scheme[]).filter((other) => other !== scheme);
  return [
    ...(others.map((other) => [`it is signed with the scheme ${other}`, { scheme: other }]) as [
      string,
      object,
    ][]),
    ['the secret is surrounded by white space', { ...same, secret: secrets.map((each) => each.trim()) }],
    ['the secret lacks its prefix whsec_', { ...same, secret: secrets.map((each) => `whsec_${each}`) }],
    ['the body lost its trailing line break', { ...same, body: `${text}\n` }],
    ['the body has an additional trailing line break', { ...same, body: text.replace(/\r?\n$/, '') }],
    ['the body was parsed and serialized again', { ...same, body: compact(text) }],
    ['it is valid except for its age', { ...same, toleranceSeconds: Number.MAX_SAFE_INTEGER }],
  ];
}

function compact(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}
