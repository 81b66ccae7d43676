/**
 * Returns the invite of `#invite=tli_…`, or undefined. Browsers never send the fragment to a
 * server.
 */
export function inviteIn(hash: string): string | undefined {
  const invite = new URLSearchParams(hash.replace(/^#/, '')).get('invite');
  return invite?.trim() || undefined;
}

/** Parses a pasted token, invite or invitation link. */
export function parseCredential(pasted: string): { token: string } | { invite: string } {
  const text = pasted.trim();
  const hash = text.indexOf('#');
  const invite = hash >= 0 ? inviteIn(text.slice(hash)) : undefined;
  if (invite) return { invite };
  return text.startsWith('tli_') ? { invite: text } : { token: text };
}
