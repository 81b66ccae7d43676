import { browserName } from './browser-name.js';

it('names browser and system', () => {
  const chrome =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/150.0.0.0 Safari/537.36';
  expect(browserName(chrome)).toBe('Chrome, Linux');
  expect(
    browserName('Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Safari/604.1'),
  ).toBe('Safari, iOS');
  expect(browserName(`${chrome} Edg/150.0`)).toBe('Edge, Linux');
  expect(browserName('')).toBeUndefined();
});
