import { bytesOf } from './raw-body.js';
import type { Scheme } from './schemes.js';
import { SCHEMES } from './schemes.js';
import { verify } from './verify.js';
import type { VerifyOptions, Verification } from './verify.js';

/**
 * Like {@link verify}, and of a wrong signature says what it may be due to: it is tried with the
 * usual mistakes undone. For people who look for a fault; a program that takes requests calls
 * `verify`.
 * @returns with `hint` when one of them makes it right
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
    ...(others.map((other) => [`it is signed by the scheme ${other}`, { scheme: other }]) as [
      string,
      object,
    ][]),
    ['the secret has white space around it', { ...same, secret: secrets.map((each) => each.trim()) }],
    ['the secret lacks its whsec_', { ...same, secret: secrets.map((each) => `whsec_${each}`) }],
    ['the body has lost the line break at its end', { ...same, body: `${text}\n` }],
    ['the body has got a line break at its end', { ...same, body: text.replace(/\r?\n$/, '') }],
    ['the body was parsed and written anew', { ...same, body: compact(text) }],
    ['it is right, but for its age', { ...same, toleranceSeconds: Number.MAX_SAFE_INTEGER }],
  ];
}

function compact(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}
