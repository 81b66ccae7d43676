import { tampered } from './tampered.js';

test.each([
  ['tlr_abcdef', 'tlr_aAcdef'],
  ['AAAA', 'AABA'],
])('%s becomes %s', (text, changed) => {
  expect(tampered(text)).toBe(changed);
});
