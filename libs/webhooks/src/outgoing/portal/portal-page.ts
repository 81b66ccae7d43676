import { createHash } from 'node:crypto';

const STYLE = `
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #ddd; padding: .3rem .5rem; text-align: left; }
pre { background: #f5f5f5; overflow: auto; padding: .5rem; white-space: pre-wrap; }
`;

const SCRIPT = `
const byId = (id) => document.getElementById(id);
const say = (text) => { byId('said').textContent = text; };
async function call(method, path) {
  const response = await fetch(location.pathname.replace(/\\/$/, '') + '/' + path, { method });
  const body = await response.json();
  if (!response.ok) throw new Error(response.status === 401 ? 'This link is no longer valid. Ask for a new one.' : body.error);
  return body;
}
const shown = (work) => work().catch((error) => say(error.message));
function button(text, work) {
  const made = document.createElement('button');
  made.textContent = text;
  made.onclick = () => shown(work);
  return made;
}
function row(cells) {
  const made = document.createElement('tr');
  for (const cell of cells) made.insertCell().append(cell);
  return made;
}
let cursor = '';
async function more() {
  const page = await call('GET', 'deliveries?filter=' + byId('filter').value + '&cursor=' + encodeURIComponent(cursor));
  for (const one of page.deliveries)
    byId('log').append(row([one.created_at, one.event_type, one.status, one.attempts,
      button('Show', () => show(one.delivery_id)), button('Send again', () => again(one.delivery_id))]));
  cursor = page.next_cursor;
  byId('more').hidden = cursor === '';
}
async function load() {
  byId('log').replaceChildren();
  cursor = '';
  await more();
}
async function show(id) {
  byId('detail').textContent = JSON.stringify((await call('GET', 'deliveries/' + id)).delivery, null, 2);
}
async function again(id) {
  say('Sent again as ' + (await call('POST', 'deliveries/' + id + '/redeliver')).delivery_id);
  await load();
}
async function test() {
  const { result } = await call('POST', 'test');
  say('Test: ' + (result.error ?? result.status_code) + ' in ' + result.duration_ms + ' ms');
  await load();
}
byId('test').onclick = () => shown(test);
byId('more').onclick = () => shown(more);
byId('filter').onchange = () => shown(load);
shown(async () => {
  byId('name').textContent = (await call('GET', 'subscription')).name;
  await load();
});
`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The page of a portal: one file without anything from elsewhere. What it shows it writes as text alone. */
export const PORTAL_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Webhook deliveries</title>
<style>${STYLE}</style>
<h1 id="name">Webhook deliveries</h1>
<p><button id="test">Send a test</button>
<select id="filter" aria-label="Deliveries"><option>all</option><option>failed</option><option>success</option></select>
<span id="said" role="status"></span></p>
<table><thead><tr><th>Time</th><th>Event</th><th>Status</th><th>Attempts</th><th></th><th></th></tr></thead><tbody id="log"></tbody></table>
<p><button id="more" hidden>More</button></p>
<pre id="detail"></pre>
<script>${SCRIPT}</script>
</html>
`;

/** Instead of the page, where the link is void. */
export const VOID_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Webhook deliveries</title>
<p>This link is no longer valid. Ask for a new one.</p>
</html>
`;

/** Nothing but this page's own script runs, and no address of it is told to anybody. */
export const PORTAL_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; script-src ${hashOf(SCRIPT)}; style-src ${hashOf(STYLE)}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};
