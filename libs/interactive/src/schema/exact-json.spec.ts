import { mapComponents } from './components.js';
import { readExact, withExactNumbers, writeExact } from './exact-json.js';

test.each([
  '{"x":9007199254740993}',
  '{"x":1.0,"y":-0,"z":1e400,"s":"9007199254740993 \\" 1.0"}',
  '{"a":[{"b":0.1,"c":12345678901234567890}],"n":7,"t":null,"u":true}',
  '{"__proto__":1.0,"x":"ä😀"}',
  '{"isLosslessNumber":true,"value":"1","n":1.0}',
])('%s is written as it was', (text) => {
  const { value, write } = readExact(text);
  expect(write(value)).toBe(text);
});

test('numbers that JavaScript can reproduce stay plain numbers', () => {
  expect(readExact('{"version":1,"n":9007199254740993}').value.version).toBe(1);
});

test('numbers next to a changed element are preserved', () => {
  const text =
    '{"version":1,"n":9007199254740993,"blocks":[{"type":"actions","elements":[{"action_id":"a","w":1.0}]}]}';
  const { value, write } = readExact(text);
  const changed = write(mapComponents(value, (element) => ({ ...element, signed_token: 't' })));
  expect(changed).toBe(text.replace('"w":1.0', '"w":1.0,"signed_token":"t"'));
});

test('a long text is read in one pass', () => {
  const text = `{"s":${JSON.stringify('\\"'.repeat(8000))},"n":1.0}`;
  const { value, write } = readExact(text);
  expect(write(value)).toBe(text);
});

test('a parsed value gets only its numbers replaced', () => {
  const text = String.raw`{"v":{"n":9007199254740993,"l":[1,2.50,"3.0"],"s":"\ud800","__proto__":1.0},"w":-0}`;
  const parsed = JSON.parse(text.replace(String.raw`\ud800`, '\ufffd'));
  expect(writeExact(withExactNumbers(parsed, text))).toBe(text.replace(String.raw`\ud800`, '\ufffd'));
});
