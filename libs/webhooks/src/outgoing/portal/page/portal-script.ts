import { PORTAL_WORDS } from './portal-words.js';

/** Script of the portal page. It renders all data as text, never as HTML. */
export const PORTAL_SCRIPT = `
const language = (navigator.languages || []).some((one) => /^ru/i.test(one)) && !/^en/i.test(navigator.language) ? 'ru' : 'en';
const words = ${JSON.stringify(PORTAL_WORDS)}[language];
const byId = (id) => document.getElementById(id);
const put = (text, ...values) => values.reduce((all, value, n) => all.replace('{' + n + '}', () => value), text);
document.documentElement.lang = language;
document.title = words.title;
for (const one of document.querySelectorAll('[data-word]')) one.textContent = words[one.dataset.word];
byId('filter').setAttribute('aria-label', words.which);

function say(text, isBad) {
  byId('said').textContent = text;
  byId('said').className = isBad ? 'bad' : '';
}
async function call(method, path) {
  const response = await fetch(location.pathname.replace(/\\/$/, '') + '/' + path, { method }).catch(() => undefined);
  if (!response) throw new Error(words.away);
  const body = await response.json().catch(() => ({}));
  if (response.status === 401) throw new Error(words.invalid);
  if (response.status === 429) throw new Error(words.limited);
  if (!response.ok) throw new Error(put(words.wrong, body.error || 'HTTP ' + response.status));
  return body;
}
const shown = (work) => work().catch((error) => say(error.message, true));
function make(tag, text, look) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (look) made.className = look;
  // What scrolls can be scrolled by keys.
  if (tag === 'pre') made.tabIndex = 0;
  return made;
}
function button(text, work) {
  const made = make('button', text);
  made.type = 'button';
  made.onclick = async () => {
    made.disabled = true;
    await shown(work);
    made.disabled = false;
  };
  return made;
}
function moment(at) {
  const made = make('time', new Intl.DateTimeFormat(language === 'ru' ? 'ru-RU' : 'en-GB', { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(at)));
  made.dateTime = at;
  return made;
}
function row(one) {
  const made = make('tr');
  const cell = (of, content, look) => {
    const td = made.insertCell();
    td.className = look || '';
    if (of) td.dataset.of = words[of];
    td.append(...[].concat(content));
  };
  cell('time', moment(one.created_at));
  cell('event', one.event_type);
  cell('status', make('span', words[one.status], one.status));
  cell('attempts', String(one.attempts), 'number');
  cell('code', String(one.last_status_code ?? '–'), 'number');
  cell('', [button(words.show, () => show(one.delivery_id)), button(words.again, () => again(one.delivery_id))]);
  return made;
}
let cursor = '';
async function more() {
  const page = await call('GET', 'deliveries?filter=' + byId('filter').value + '&cursor=' + encodeURIComponent(cursor));
  byId('log').append(...page.deliveries.map(row));
  cursor = page.next_cursor;
  byId('more').hidden = cursor === '';
  const isEmpty = byId('log').childElementCount === 0;
  byId('frame').hidden = isEmpty;
  byId('none').hidden = !isEmpty;
  byId('none').textContent = byId('filter').value === 'all' ? words.none : words.noMatch;
}
async function load() {
  byId('log').replaceChildren();
  cursor = '';
  await more();
}
function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
function attempt({ at, status_code: code, duration_ms: took, error, response }) {
  const made = make('li');
  const isValid = code >= 200 && code < 300;
  const line = make('div', undefined, 'bar');
  line.append(make('span', code === null ? words.noAnswer : String(code), isValid ? 'success' : 'dead'), moment(at), make('span', took + ' ms', 'soft'));
  made.append(line);
  if (error || response) made.append(make('pre', error || pretty(response)));
  return made;
}
async function show(id) {
  const { delivery } = await call('GET', 'deliveries/' + id);
  const log = make('ol');
  log.append(...delivery.attempt_log.map(attempt));
  if (delivery.attempt_log.length === 0) log.append(make('li', words.noAttempts, 'soft'));
  const title = make('h2', delivery.event_type + ' ');
  title.append(make('span', words[delivery.status], delivery.status));
  const parts = [title];
  if (delivery.next_attempt_at) {
    const next = make('p', put(words.next, ''), 'soft');
    next.append(moment(delivery.next_attempt_at));
    parts.push(next);
  }
  parts.push(make('h3', words.attempts), log, make('h3', words.headers));
  parts.push(make('pre', Object.entries(delivery.request.headers).map(([name, value]) => name + ': ' + value).join('\\n')));
  parts.push(make('h3', words.body), make('pre', pretty(delivery.request.body)));
  byId('detail').replaceChildren(...parts);
  byId('dialog').showModal();
  byId('dialog').scrollTop = 0;
}
async function again(id) {
  await call('POST', 'deliveries/' + id + '/redeliver');
  say(words.sentAgain);
  await load();
}
async function test() {
  const { result } = await call('POST', 'test');
  const { status_code: code, duration_ms: took } = result;
  if (code === null) say(put(words.unreached, result.error, took), true);
  else if (code < 300) say(put(words.good, code, took));
  else say(put(words.refused, code, took), true);
  await load();
}
byId('test').onclick = async () => {
  byId('test').disabled = true;
  await shown(test);
  byId('test').disabled = false;
};
byId('more').onclick = () => shown(more);
byId('filter').onchange = () => shown(load);
byId('close').onclick = () => byId('dialog').close();
shown(async () => {
  const { name } = await call('GET', 'subscription');
  byId('name').textContent = name;
  document.title = name + ' · ' + words.title;
  await load();
});
`;
