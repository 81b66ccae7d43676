import { credentialOf, inviteIn } from './invite.js';

it('finds the invite of a link', () => {
  expect(inviteIn('#invite=tli_abc')).toBe('tli_abc');
  expect([inviteIn(''), inviteIn('#'), inviteIn('#invite='), inviteIn('#other=1')]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

it('tells a link, an invite and a token apart', () => {
  expect(credentialOf(' https://chat.example.com/#invite=tli_abc ')).toEqual({ invite: 'tli_abc' });
  expect(credentialOf('tli_abc')).toEqual({ invite: 'tli_abc' });
  expect(credentialOf('tlu_abc\n')).toEqual({ token: 'tlu_abc' });
});
