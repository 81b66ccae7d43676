import { bodyOf, draftOf, EMPTY_DRAFT, keywordsIn } from './draft.js';

it('splits keywords at line breaks and commas, without duplicates', () => {
  expect(keywordsIn('outage\n on   call ,outage\n\n')).toEqual(['outage', 'on call']);
});

it('sends only the configuration of the selected trigger', () => {
  const draft = { ...EMPTY_DRAFT, name: ' A ', url: 'https://a.example', keywords: 'x y', userIds: ['u'] };
  expect(bodyOf(draft)).not.toHaveProperty('trigger_config');
  expect(bodyOf({ ...draft, trigger: 'keywords' })).toMatchObject({
    name: 'A',
    trigger_config: { keywords: ['x y'] },
  });
  expect(bodyOf({ ...draft, trigger: 'mention' }).trigger_config).toEqual({ user_ids: ['u'] });
  expect(bodyOf({ ...draft, trigger: 'mention', userIds: [] }).trigger_config).toEqual({});
});

it('sends no context with thin payloads', () => {
  expect(bodyOf({ ...EMPTY_DRAFT, includeContext: true, isThin: true })).toMatchObject({
    payload: 'thin',
    include_context: false,
  });
});

it('an untouched form changes nothing', () => {
  const draft = {
    ...EMPTY_DRAFT,
    name: 'A',
    url: 'https://a.example',
    trigger: 'keywords',
    keywords: 'a\nb',
  } as const;
  const body = bodyOf({ ...draft, eventTypes: ['MESSAGE_CREATED'], channelIds: [], userIds: [] });
  const view = { ...body, id: '1', status: 'active' } as unknown as Parameters<typeof draftOf>[0];
  expect(bodyOf(draftOf(view))).toEqual(body);
});
