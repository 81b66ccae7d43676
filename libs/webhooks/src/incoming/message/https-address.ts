/** Maximum length of a stored address. */
const MAX_ADDRESS = 2048;

/**
 * Returns the trimmed address if it may be stored: HTTPS, at most 2048 characters, no credentials.
 */
export function httpsAddress(value: string): string | undefined {
  const trimmed = value.trim();
  if (trimmed.length > MAX_ADDRESS || !/^https:\/\//i.test(trimmed) || !URL.canParse(trimmed))
    return undefined;
  const { username, password } = new URL(trimmed);
  return username === '' && password === '' ? trimmed : undefined;
}
