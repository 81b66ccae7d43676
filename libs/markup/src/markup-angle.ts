/** Schemes whose addresses run code or contain data. */
const UNSAFE_SCHEME = /^(?:javascript|vbscript|data|file|blob):/i;
const ADDRESS = /^[a-z][a-z0-9+.-]*:\S+$/i;
const PERSON = /^@[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const AUDIENCES: ReadonlyMap<string, string> = new Map([
  ['!channel', '@channel'],
  ['!here', '@here'],
  ['!everyone', '@channel'],
]);

/**
 * Converts the content of `<…>`: a link, bare address, mention, audience, or the label after `|` of
 * something that this chat does not have. Returns undefined if the brackets are not markup.
 * @param converted converts the markup inside a label to Markdown
 */
export function renderAngle(inside: string, converted: (label: string) => string): string | undefined {
  const bar = inside.indexOf('|');
  const target = (bar === -1 ? inside : inside.slice(0, bar)).trim();
  const label = bar === -1 ? '' : converted(inside.slice(bar + 1).trim());
  if (PERSON.test(target)) return `<${target}>`;
  if (target.startsWith('@')) return label === '' ? undefined : `@${label}`.replace(/^@@/, '@');
  if (target.startsWith('!')) return AUDIENCES.get(target.toLowerCase()) ?? (label || fallbackLabel(target));
  if (target.startsWith('#')) return label === '' ? undefined : `#${label}`.replace(/^##/, '#');
  if (!ADDRESS.test(target)) return undefined;
  if (UNSAFE_SCHEME.test(target)) return label || target;
  return label === '' ? target : `[${labelOf(label)}](${addressOf(target)})`;
}

/**
 * Returns a fallback for references without a label: `@group` for a group of people, or a date in
 * UTC.
 */
function fallbackLabel(target: string): string | undefined {
  if (/^!(?:group$|subteam\^)/i.test(target)) return '@group';
  const [, seconds] = /^!date\^(\d{1,10})\^/i.exec(target) ?? [];
  if (seconds === undefined) return undefined;
  return `${new Date(Number(seconds) * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** Escapes brackets in a link's text that would end it or start another link. */
function labelOf(label: string): string {
  const isSafe = isBalanced(label, '[', ']') && !label.includes('](') && !/\\(?:[[\]]|$)/.test(label);
  const text = isSafe ? label : label.replaceAll(/[\\[\]]/g, String.raw`\$&`);
  // An unpaired backtick would start code that extends past the link.
  return text.split('`').length % 2 === 0 ? text.replaceAll('`', '\\`') : text;
}

function addressOf(address: string): string {
  const isSafe = isBalanced(address, '(', ')') && !address.includes('\\');
  return isSafe ? address : address.replaceAll('(', '%28').replaceAll(')', '%29').replaceAll('\\', '%5C');
}

function isBalanced(text: string, open: string, close: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === open) depth++;
    if (character === close && --depth < 0) return false;
  }
  return depth === 0;
}
