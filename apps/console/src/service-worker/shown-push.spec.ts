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

it('offers to decide an approval', () => {
  const push = {
    approval_id: MESSAGE,
    actions: [
      { action: 'approve', option_id: 'yes', title: 'Yes' },
      { action: 'deny', option_id: 'no', title: '' },
      { action: 'open', option_id: 'x', title: 'x' },
      null,
    ],
  };
  expect(shownPush(JSON.stringify(push)).options).toMatchObject({
    data: { approval: { id: MESSAGE, options: { approve: 'yes', deny: 'no' } } },
    actions: [
      { action: 'approve', title: 'Yes' },
      { action: 'deny', title: 'deny' },
    ],
  });
  expect(shownPush(JSON.stringify({ ...push, approval_id: '../x' })).options.actions).toBeUndefined();
});
