import type { ListedCommandView } from '@tieline/sdk/api';
import { completed, isCommand, missingOptions, quoted, typingAt } from './command-line.js';

const option = { description: '', type: 'string', required: true, autocomplete: true } as const;
const commands: ListedCommandView[] = [
  {
    name: '/deploy',
    description: '',
    usage_hint: '',
    bot_id: 'b',
    is_builtin: false,
    options: [
      { ...option, name: 'service' },
      { ...option, name: 'stage', required: false },
    ],
  },
];
const at = (text: string) => typingAt(text, text.length, commands);

it('distinguishes commands from text', () => {
  expect(['/deploy', '/deploy api', '//not', '/ not', 'not /deploy', '/etc/hosts'].map(isCommand)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});

it('recognizes what the cursor is in', () => {
  expect(at('/dep')).toMatchObject({ kind: 'command', typed: 'dep' });
  expect(at('/deploy ')).toMatchObject({ kind: 'option', typed: '', given: [] });
  expect(at('/deploy service:api st')).toMatchObject({ kind: 'option', typed: 'st', given: ['service'] });
  expect(at('/deploy service:"api ga')).toMatchObject({ kind: 'value', option: 'service', typed: 'api ga' });
  expect(at('/other x')).toBeUndefined();
  expect(at('for @an')).toMatchObject({ kind: 'mention', typed: 'an' });
  expect(at('me@example')).toBeUndefined();
});

it('replaces the typed part with a suggestion, quoted if necessary', () => {
  const put = (text: string, chosen: string) => {
    const typing = at(text);
    return typing && completed(text, text.length, typing, chosen).text;
  };
  expect(put('/dep', '/deploy')).toBe('/deploy ');
  expect(put('/deploy ser', 'service')).toBe('/deploy service:');
  expect(put('/deploy service:a', 'api gateway')).toBe('/deploy service:"api gateway" ');
  expect(put('for @an', '<@1>')).toBe('for <@1> ');
  expect(quoted('say "hi"')).toBe(String.raw`"say \"hi\""`);
});

it('names missing options', () => {
  expect(missingOptions('/deploy stage:live', commands[0]?.options)).toEqual(['service']);
  expect(missingOptions('/deploy service:api', commands[0]?.options)).toEqual([]);
});
