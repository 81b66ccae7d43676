import { mapComponents } from './components.js';
import { readExact } from './exact-json.js';

test.each([
  '{"x":9007199254740993}',
  '{"x":1.0,"y":-0,"z":1e400,"s":"9007199254740993 \\" 1.0"}',
  '{"a":[{"b":0.1,"c":12345678901234567890}],"n":7,"t":null,"u":true}',
  '{"__proto__":1.0,"x":"ä😀"}',
])('%s is written as it was', (text) => {
  const { value, write } = readExact(text);
  expect(write(value)).toBe(text);
});

test('numbers that JavaScript writes alike are numbers, also beside others', () => {
  expect(readExact('{"version":1,"n":9007199254740993}').value.version).toBe(1);
});

test('numbers beside a changed element stay', () => {
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
