import { applySettings, configOf, DEFAULT_SETTINGS, differences } from './subscription-settings.js';
import type { GivenSettings, SubscriptionSettings } from './subscription-settings.js';

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

  test.each<[string, SubscriptionSettings, GivenSettings, object]>([
    [
      'undefined leaves a setting',
      byKeyword,
      { name: undefined, trigger: undefined },
      { name: 'n', trigger: 'keywords', triggerConfig: { keywords: ['deploy'] } },
    ],
    [
      'the configuration alone',
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
      'another trigger starts from nothing',
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

  test('keywords without a list are refused', () => {
    expect(() => applySettings(current, { trigger: 'keywords' })).toThrow(
      expect.objectContaining({ status: 400 }),
    );
  });

  test('only what differs is a change', () => {
    expect(differences(current, { ...current, eventTypes: ['MESSAGE_CREATED'] })).toEqual({});
    expect(differences(current, { ...current, contextSize: 3, status: 'inactive' })).toEqual({
      contextSize: 3,
      status: 'inactive',
    });
  });

  test('an inactive subscription has nothing for the planner, and neither name nor address ever leave', () => {
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
