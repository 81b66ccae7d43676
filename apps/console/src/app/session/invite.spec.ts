import { parseCredential, inviteIn } from './invite.js';

it('finds the invite in a link', () => {
  expect(inviteIn('#invite=tli_abc')).toBe('tli_abc');
  expect([inviteIn(''), inviteIn('#'), inviteIn('#invite='), inviteIn('#other=1')]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

it('distinguishes links, invites and tokens', () => {
  expect(parseCredential(' https://chat.example.com/#invite=tli_abc ')).toEqual({ invite: 'tli_abc' });
  expect(parseCredential('tli_abc')).toEqual({ invite: 'tli_abc' });
  expect(parseCredential('tlu_abc\n')).toEqual({ token: 'tlu_abc' });
});
