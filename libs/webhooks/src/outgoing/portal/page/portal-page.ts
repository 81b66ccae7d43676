import { createHash } from 'node:crypto';
import { PORTAL_SCRIPT } from './portal-script.js';
import { PORTAL_STYLE } from './portal-style.js';
import { PORTAL_WORDS } from './portal-words.js';

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
/** The script puts in the words of the browser's language; until then they are English. */
const word = (key: keyof typeof PORTAL_WORDS.en): string => `data-word="${key}">${PORTAL_WORDS.en[key]}`;

const HEAD = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${PORTAL_WORDS.en.title}</title>
<style>${PORTAL_STYLE}</style>
`;

/**
 * The page of a portal: one file without anything from elsewhere. What it shows it writes as text
 * alone.
 */
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

/**
 * Instead of the page, where the link is void. Nothing runs there, so both languages stand in it.
 */
export const VOID_PAGE = `${HEAD}<main><h1>${PORTAL_WORDS.en.void}</h1><p lang="ru" class="soft">${PORTAL_WORDS.ru.void}</p></main>
</html>
`;

/** Nothing but this page's own script runs, and no address of it is told to anybody. */
export const PORTAL_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; script-src ${hashOf(PORTAL_SCRIPT)}; style-src ${hashOf(PORTAL_STYLE)}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};
