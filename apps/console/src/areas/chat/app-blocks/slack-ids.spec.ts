import { conversationId, slackId, uuidOf, withOwnMentions } from './slack-ids.js';

const UUID = '0198f2c4-7a3e-7d21-9b1f-5a0c3d9e8f77';

it('spells ids as Slack does, and back', () => {
  const id = slackId('U', UUID);
  expect(id).toMatch(/^U[A-H][A-Z2-7]{25}$/);
  expect(uuidOf(id)).toBe(UUID);
  expect(['U123', '', UUID].map((other) => uuidOf(other))).toEqual([undefined, undefined, undefined]);
  const one = { id: UUID, is_direct: false, is_public: false };
  expect(conversationId(one)).toMatch(/^G/);
  expect(conversationId({ ...one, is_public: true })).toMatch(/^C/);
  expect(conversationId({ ...one, is_direct: true })).toMatch(/^D/);
});

it('replaces mentions of people and channels', () => {
  const text = `<@${slackId('U', UUID)}|ann> in <#${slackId('C', UUID)}> and <#${slackId('G', UUID)}|x> <@U1>`;
  expect(withOwnMentions(text, (id) => (id === UUID ? 'general' : undefined))).toBe(
    `<@${UUID}> in #general and #general <@U1>`,
  );
  expect(withOwnMentions(`<#${slackId('C', UUID)}>`, () => undefined)).toBe('#…');
});
