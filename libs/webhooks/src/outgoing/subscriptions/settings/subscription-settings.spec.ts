import { changesOf } from '@tieline/platform/resource';
import type { SettingsInput, SubscriptionSettings } from '../subscription.js';
import { applySettings, configOf, DEFAULT_SETTINGS } from './subscription-settings.js';

const current: SubscriptionSettings = {
  ...DEFAULT_SETTINGS,
  name: 'n',
  url: 'https://r.example',
  eventTypes: ['MESSAGE_CREATED'],
};
const byKeyword: SubscriptionSettings = {
  ...current,
  trigger: 'keywords',
  triggerConfig: { keywords: ['deploy'] },
};

describe('settings of a subscription', () => {
  test('defaults', () => {
    expect(applySettings(current, {})).toEqual({
      name: 'n',
      url: 'https://r.example',
      eventTypes: ['MESSAGE_CREATED'],
      channelIds: [],
      trigger: 'all',
      triggerConfig: {},
      includeContext: false,
      contextSize: 10,
      status: 'active',
      retryProfile: 'contract',
      payload: 'full',
      ordered: false,
    });
  });

  test.each<[string, SubscriptionSettings, SettingsInput, object]>([
    [
      'undefined keeps a setting',
      byKeyword,
      { name: undefined, trigger: undefined },
      { name: 'n', trigger: 'keywords', triggerConfig: { keywords: ['deploy'] } },
    ],
    [
      'only the configuration',
      byKeyword,
      { triggerConfig: { keywords: ['rollback'] } },
      { trigger: 'keywords', triggerConfig: { keywords: ['rollback'] } },
    ],
    [
      'the same trigger keeps its configuration',
      byKeyword,
      { trigger: 'keywords' },
      { triggerConfig: { keywords: ['deploy'] } },
    ],
    [
      'another trigger starts with an empty configuration',
      byKeyword,
      { trigger: 'mention' },
      { trigger: 'mention', triggerConfig: {} },
    ],
    ['back to all', byKeyword, { trigger: 'all' }, { trigger: 'all', triggerConfig: {} }],
    [
      'trigger and configuration',
      current,
      { trigger: 'keywords', triggerConfig: { keywords: ['ab'] } },
      { trigger: 'keywords', triggerConfig: { keywords: ['ab'] } },
    ],
  ])('%s', (_, before, given, expected) => {
    expect(applySettings(before, given)).toMatchObject(expected);
  });

  test('keywords without a list are rejected', () => {
    expect(() => applySettings(current, { trigger: 'keywords' })).toThrow(
      expect.objectContaining({ status: 400 }),
    );
  });

  test('only different settings are changes', () => {
    expect(changesOf(current, { ...current, eventTypes: ['MESSAGE_CREATED'] })).toEqual({});
    expect(changesOf(current, { ...current, contextSize: 3, status: 'inactive' })).toEqual({
      contextSize: 3,
      status: 'inactive',
    });
  });

  test('the planner gets nothing of an inactive subscription, and never name or address', () => {
    expect(configOf({ ...current, id: 'i', status: 'inactive' })).toBeNull();
    expect(configOf({ ...byKeyword, id: 'i' })).toEqual({
      id: 'i',
      eventTypes: ['MESSAGE_CREATED'],
      channelIds: [],
      trigger: 'keywords',
      triggerConfig: { keywords: ['deploy'] },
      includeContext: false,
      contextSize: 10,
      retryProfile: 'contract',
      payload: 'full',
      ordered: false,
    });
  });
});
