import { createHash } from 'node:crypto';
import { PORTAL_SCRIPT } from './portal-script.js';
import { PORTAL_STYLE } from './portal-style.js';
import { PORTAL_WORDS } from './portal-words.js';

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
/**
 * Marks an element whose text the script replaces with the browser's language. The initial text is
 * English.
 */
const word = (key: keyof typeof PORTAL_WORDS.en): string => `data-word="${key}">${PORTAL_WORDS.en[key]}`;

const HEAD = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${PORTAL_WORDS.en.title}</title>
<style>${PORTAL_STYLE}</style>
`;

/** The portal page, a single file without external resources. It renders all data as text. */
export const PORTAL_PAGE = `${HEAD}<main>
<header><div><h1 id="name" ${word('title')}</h1><p class="soft" ${word('intro')}</p></div>
<div class="bar"><select id="filter"><option value="all" ${word('all')}</option><option value="failed" ${word('failed')}</option><option value="success" ${word('success')}</option></select>
<button id="test" class="main" type="button" ${word('test')}</button></div></header>
<p id="said" role="status"></p>
<p id="none" hidden></p>
<div id="frame" class="frame" hidden><table><thead><tr><th ${word('time')}</th><th ${word('event')}</th><th ${word('status')}</th><th class="number" ${word('attempts')}</th><th class="number" ${word('code')}</th><td></td></tr></thead><tbody id="log"></tbody></table></div>
<p><button id="more" type="button" hidden ${word('more')}</button></p>
</main>
<dialog id="dialog" aria-labelledby="detail"><div><div id="detail" role="document" tabindex="-1" autofocus></div><div class="ends"><button id="close" type="button" ${word('close')}</button></div></div></dialog>
<script>${PORTAL_SCRIPT}</script>
</html>
`;

/** Shown when the link is invalid. It has no script, so it contains both languages. */
export const INVALID_LINK_PAGE = `${HEAD}<main><h1>${PORTAL_WORDS.en.invalid}</h1><p lang="ru" class="soft">${PORTAL_WORDS.ru.invalid}</p></main>
</html>
`;

/** Headers that allow only this page's own script and send no referrer. */
export const PORTAL_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; script-src ${hashOf(PORTAL_SCRIPT)}; style-src ${hashOf(PORTAL_STYLE)}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};
