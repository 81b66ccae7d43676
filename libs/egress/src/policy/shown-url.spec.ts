import { shownUrl } from './shown-url.js';

test.each([
  ['https://a.example/hook?key=SECRET', 'https://a.example/hook'],
  ['https://a.example:8443/hook?key=SECRET#SECRET', 'https://a.example:8443/hook'],
  ['https://user:SECRET@a.example/hook', 'https://a.example/hook'],
  ['https://a.example?SECRET', 'https://a.example/'],
  ['HTTPS://A.example/Hook?x', 'https://a.example/Hook'],
  ['no address?key=SECRET\nSECRET', 'no address'],
  ['https://a.example:99999/x#SECRET', 'https://a.example:99999/x'],
  ['', ''],
])('%j is shown as %j', (text, shown) => {
  expect(shownUrl(text)).toBe(shown);
});
