import { shownPush } from './shown-push.js';

const MESSAGE = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d62';
const CONVERSATION = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41';

it('shows title and text, links to the message, and replaces earlier notifications of it', () => {
  const push = {
    title: 'Alerts',
    body: 'Disk full',
    severity: 'critical',
    message_id: MESSAGE,
    conversation_id: CONVERSATION,
  };
  expect(shownPush(JSON.stringify(push))).toEqual({
    title: 'Alerts',
    options: {
      body: 'Disk full',
      tag: MESSAGE,
      renotify: true,
      requireInteraction: true,
      data: { address: `/c/${CONVERSATION}/${MESSAGE}` },
    },
  });
});

it.each([
  undefined,
  '',
  'x',
  'null',
  '[]',
  '{"title":5,"message_id":"../x","conversation_id":"//evil.example"}',
])('leads to the chat when it cannot be read: %s', (text) => {
  expect(shownPush(text)).toMatchObject({
    title: 'Tieline',
    options: { body: '', requireInteraction: false, data: { address: '/chat' } },
  });
});
