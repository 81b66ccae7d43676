import { snippetsFor } from './snippets.js';

it('contains the address and the channel, but no token', () => {
  const [curl, ...others] = snippetsFor('https://chat.example.com', 'c1');
  expect(curl?.text).toContain('https://chat.example.com/api/v1/bot/messages');
  expect(curl?.text).toContain('"conversation_id":"c1"');
  for (const { text } of others) expect(text).toContain('TIELINE_URL=https://chat.example.com');
});

it('only identifies the bot if it is in no channel', () => {
  expect(snippetsFor('https://chat.example.com', undefined)[0]?.text).toContain('/bot/me');
});
