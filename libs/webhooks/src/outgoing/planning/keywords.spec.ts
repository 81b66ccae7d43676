import { processorMs } from '@tieline/testing';
import { keywordMatcher } from './keywords.js';

describe('keywords', () => {
  test.each([
    ['deploy', 'deploy'],
    ['deploy', 'Please DEPLOY now'],
    ['deploy', 'deploy, then rest'],
    ['deploy', '(deploy)'],
    ['deploy', 'pre-deploy'],
    ['deploy', 'first line\ndeploy'],
    ['сбой', 'Случился СБОЙ!'],
    ['straße', 'Die STRAßE.'],
    ['σίσυφος', 'ΣΊΣΥΦΟΣ'],
    ['straße', 'STRASSE'],
    ['STRASSE', 'in der Straße'],
    ['GROẞ', 'groß, gross'],
    ['gross', 'GROẞ'],
    ['i̇stanbul', 'İSTANBUL'],
    ['İSTANBUL', 'i̇stanbul'],
    ['ΣΑΣ', 'σας'],
    ['ﬁle', 'FILE'],
    ['kelvin', 'Kelvin'],
    ['build failed', 'The Build   failed again'],
    ['build failed', 'build\nfailed'],
    ['c++', 'I like C++.'],
    ['a.b', 'see a.b here'],
    ['#ops', 'to #ops please'],
    ['[x]', 'done [x] yes'],
    ['café', 'le cafe\u0301 noir'],
    ['cafe\u0301', 'le café noir'],
    ['障害', '「障害」発生'],
    ['🔥🔥', 'oh 🔥🔥 no'],
    ['back\\slash', 'a back\\slash'],
  ])('%p is found in %p', (keyword, text) => {
    expect(keywordMatcher([keyword])(text)).toBe(true);
  });

  test.each([
    ['deploy', 'deployment'],
    ['ısı', 'ISI'],
    ['strase', 'STRASSE'],
    ['deploy', 'redeploy'],
    ['deploy', 'deploy_now'],
    ['deploy', '_deploy'],
    ['deploy', 'deploy2'],
    ['deploy', 'deploy٣'],
    ['сбой', 'сбойный'],
    ['cafe', 'cafe\u0301'],
    ['build failed', 'build has failed'],
    ['build failed', 'build, failed'],
    ['build failed', 'build failedly'],
    ['a.b', 'axb'],
    ['deploy', ''],
  ])('%p is not found in %p', (keyword, text) => {
    expect(keywordMatcher([keyword])(text)).toBe(false);
  });

  test('matches a later occurrence if an earlier one is part of a word', () => {
    expect(keywordMatcher(['deploy'])('redeploy, then deploy')).toBe(true);
  });

  test('matches any of several keywords, even if one is a prefix of another', () => {
    const matches = keywordMatcher(['fire', 'fire drill', 'smoke']);
    expect([matches('smoke!'), matches('fire drill'), matches('firewall')]).toEqual([true, true, false]);
    expect(keywordMatcher(['ab', 'ab c'])('ab c')).toBe(true);
  });

  test('a hostile text takes no noticeable time', () => {
    const matches = keywordMatcher(Array.from({ length: 20 }, (_, n) => `a${' a'.repeat(49)}${n}`));
    const text = ' a'.repeat(2000);
    expect(processorMs(() => expect(matches(text)).toBe(false))).toBeLessThan(100);
  });
});
