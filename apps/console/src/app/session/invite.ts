/** The invite in `#invite=tli_…`, or undefined. What follows the `#` never reaches a server. */
export function inviteIn(hash: string): string | undefined {
  const invite = new URLSearchParams(hash.replace(/^#/, '')).get('invite');
  return invite?.trim() || undefined;
}

/** What a person pasted: a token, or the invite of a whole link. */
export function credentialOf(pasted: string): { token: string } | { invite: string } {
  const text = pasted.trim();
  const hash = text.indexOf('#');
  const invite = hash >= 0 ? inviteIn(text.slice(hash)) : undefined;
  if (invite) return { invite };
  return text.startsWith('tli_') ? { invite: text } : { token: text };
}
