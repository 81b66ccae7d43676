import fc from 'fast-check';
import { keywordMatcher } from './keywords.js';
const WORD = String.raw`[\p{L}\p{M}\p{Nd}_]`;
const SYNTAX = /[\\^$.*+?()[\]{}|/]/g;
const old = (keywords: readonly string[]) => {
  const alternative = (k: string) => k.normalize('NFC').split(/\s+/u).map((w) => w.replace(SYNTAX, String.raw`\$&`)).join(String.raw`\s+`);
  const p = new RegExp(`(?<!${WORD})(?:${keywords.map(alternative).join('|')})(?!${WORD})`, 'iu');
  return (t: string) => p.test(t.normalize('NFC'));
};
test('same', () => {
  const ch = fc.constantFrom('a', 'A', 'b', ' ', '  ', '.', '+', 'ß', 'ẞ', 'ς', 'Σ', 'é', 'e\u0301', '_', '🔥', '\n', 'İ', '[', '\\', '-', '/', '^', '1');
  const kw = fc.string({ unit: ch, minLength: 1, maxLength: 5 }).map((s) => s.trim()).filter(Boolean);
  let yes = 0;
  fc.assert(fc.property(fc.array(kw, { minLength: 1, maxLength: 5 }), fc.string({ unit: ch, maxLength: 14 }), (k, t) => { const o = old(k)(t); if (o) yes++; return o === keywordMatcher(k)(t); }), { numRuns: 60000 });
  console.log(yes);
});
