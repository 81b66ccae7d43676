import { parseTriggerConfig } from './trigger-config.js';
import type { Trigger } from './trigger-config.js';

const ID = '0190F2A4-7C1B-7000-8000-00000000ABCD';

describe('trigger_config', () => {
  test.each<[Trigger, Record<string, unknown>, object]>([
    ['all', {}, {}],
    ['all', { keywords: ['x'] }, {}],
    ['mention', {}, {}],
    ['mention', { user_ids: null }, {}],
    ['mention', { user_ids: [] }, { user_ids: [] }],
    ['mention', { user_ids: [ID, ID.toLowerCase()], keywords: ['x'] }, { user_ids: [ID.toLowerCase()] }],
    ['keywords', { keywords: ['ab'] }, { keywords: ['ab'] }],
    ['keywords', { keywords: [' on call '] }, { keywords: ['on call'] }],
    ['keywords', { keywords: ['😀😀'], user_ids: [ID] }, { keywords: ['😀😀'] }],
    ['keywords', { keywords: ['x'.repeat(100)] }, { keywords: ['x'.repeat(100)] }],
    [
      'keywords',
      { keywords: Array.from({ length: 20 }, () => 'ab') },
      { keywords: Array.from({ length: 20 }, () => 'ab') },
    ],
  ])('%s %j is accepted as %j', (trigger, config, expected) => {
    expect(parseTriggerConfig(trigger, config)).toEqual(expected);
  });

  test.each<[Trigger, Record<string, unknown>, string]>([
    ['mention', { user_ids: 'x' }, 'trigger_config.user_ids'],
    ['mention', { user_ids: ['x'] }, 'trigger_config.user_ids'],
    ['mention', { user_ids: Array.from({ length: 101 }, () => ID) }, 'trigger_config.user_ids'],
    ['keywords', {}, 'trigger_config.keywords'],
    ['keywords', { keywords: [] }, 'trigger_config.keywords'],
    ['keywords', { keywords: 'ab' }, 'trigger_config.keywords'],
    ['keywords', { keywords: Array.from({ length: 21 }, () => 'ab') }, 'trigger_config.keywords'],
    ['keywords', { keywords: ['a'] }, 'each keyword'],
    ['keywords', { keywords: [' a '] }, 'each keyword'],
    ['keywords', { keywords: ['😀'] }, 'each keyword'],
    ['keywords', { keywords: ['   '] }, 'each keyword'],
    ['keywords', { keywords: ['ab', 'x'.repeat(101)] }, 'each keyword'],
    ['keywords', { keywords: ['ab', 12] }, 'each keyword'],
  ])('%s %j gets 400', (trigger, config, text) => {
    expect(() => parseTriggerConfig(trigger, config)).toThrow(
      expect.objectContaining({ status: 400, text: expect.stringContaining(text) }),
    );
  });
});
