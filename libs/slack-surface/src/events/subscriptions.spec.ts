import { subscribed } from './subscriptions.js';

const message = (channelType: string) => ({
  type: 'message',
  channel_type: channelType,
  event_ts: '1.000000',
});
const EVENTS = [
  message('channel'),
  { ...message('group'), subtype: 'message_changed' },
  message('im'),
  { type: 'app_mention', event_ts: '1.000000' },
  // Channel types of members are letters.
  { type: 'member_joined_channel', channel_type: 'C', event_ts: '1.000000' },
];

test.each([
  [['message.channels'], [0]],
  [['message.groups'], [1]],
  [['message.im'], [2]],
  [['message.mpim'], []],
  [['app_mention'], [3]],
  [
    ['member_joined_channel', 'message.im'],
    [2, 4],
  ],
  [['reaction_added'], []],
  [[], [0, 1, 2, 3, 4]],
])('a bot that subscribed to %j gets the events %j', (names, expected) => {
  expect(subscribed(names, EVENTS)).toEqual(expected.map((at) => EVENTS[at]));
});
