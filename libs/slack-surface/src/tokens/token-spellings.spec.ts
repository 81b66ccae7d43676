import { isAppToken, ownToken, slackToken } from './token-spellings.js';

test('the token of a bot has two spellings', () => {
  expect(ownToken('xoxb-ab_c-d')).toBe('tlb_ab_c-d');
  expect(slackToken('tlb_ab_c-d')).toBe('xoxb-ab_c-d');
});

test('the token that an app has of a person has two spellings', () => {
  expect(ownToken('xoxp-abc')).toBe('tla_abc');
  expect(slackToken('tla_abc')).toBe('xoxp-abc');
});

test('a refresh token has two spellings', () => {
  expect(ownToken('xoxe-abc')).toBe('tlf_abc');
  expect(slackToken('tlf_abc')).toBe('xoxe-abc');
});

test("Tieline's own spelling is accepted as it is", () => {
  expect(ownToken('tlb_abc')).toBe('tlb_abc');
  expect(ownToken('xoxd-abc')).toBe('xoxd-abc');
});

test('app-level tokens are known by their prefix', () => {
  expect(['xapp-1', 'xoxb-1', 'tlb_1'].map(isAppToken)).toEqual([true, false, false]);
});
