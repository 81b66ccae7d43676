import type { ReadingOptions } from '../../read-message.js';
import { shown } from '../testing/format-tests.js';
import bodies from './bodies.json' with { type: 'json' };

describe('Microsoft Teams cards', () => {
  test('a MessageCard (BGPalerter, Alertmanager’s msteams_configs)', () => {
    expect(shown(bodies.messageCard)).toEqual({
      lines: ['CRITICAL db1', String.raw`disk \*full\*`, 'Ann', 'Host: db1', 'Used: 98'],
      severity: 'critical',
      buttons: [
        { text: 'Runbook', url: 'https://rb.example/1' },
        { text: 'Logs', url: 'https://logs.example/1' },
      ],
      attachments: [{ image_url: 'https://x.example/graph.png', fallback: 'Graph' }],
    });
  });

  test.each<[object, ReadingOptions, string]>([
    [{ themeColor: '#2DC72D' }, {}, 'info'],
    [{ themeColor: 'no color' }, {}, 'warning'],
    [{ themeColor: undefined }, {}, 'warning'],
    [{}, { severityFromColor: false }, 'warning'],
  ])('the color gives the severity: %j %j', (fields, options, severity) => {
    expect(shown({ ...bodies.messageCard, ...fields }, options)).toMatchObject({ severity });
  });

  test('a summary is shown if no other text contains it', () => {
    expect(shown({ '@type': 'MessageCard', summary: 'Build 7', text: 'passed' })).toMatchObject({
      lines: ['Build 7', 'passed'],
    });
  });

  test.each([
    ['bare', bodies.adaptiveCard],
    [
      'in the attachments of a message (Alertmanager’s msteamsv2_configs)',
      {
        type: 'message',
        attachments: [
          { contentType: 'application/vnd.microsoft.card.adaptive', content: bodies.adaptiveCard },
        ],
      },
    ],
  ])('an Adaptive Card, %s', (_what, body) => {
    expect(shown(body)).toEqual({
      lines: ['[FIRING:2] HighCPU', 'since noon', 'Host: db1'],
      severity: 'critical',
      buttons: [{ text: 'View', url: 'https://am.example' }],
      attachments: [{ image_url: 'https://x.example/graph.png', fallback: 'Graph' }],
    });
  });

  test('any content of a card is accepted', () => {
    for (const value of [null, 7, 'x', [], [null], [[7]], {}, [{ items: [7], facts: [{}], actions: 7 }]])
      for (const card of [
        { '@type': 'MessageCard', title: 'a', text: value, sections: value, potentialAction: value },
        { type: 'AdaptiveCard', body: value, actions: value },
      ])
        expect(shown(card)).toHaveProperty('lines');
  });
});
