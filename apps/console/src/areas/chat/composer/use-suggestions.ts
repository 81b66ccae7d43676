import { suggestCommandOptionsAsPerson } from '@tieline/sdk/api';
import type { CommandOptionView, ListedCommandView } from '@tieline/sdk/api';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { sameCommand } from '../command/command-line.js';
import type { Typing } from '../command/command-line.js';
import { useReadable } from '../conversations/use-readable.js';
import { useNames } from '../names.js';
import { composerWords } from './words.js';

/** A suggestion for the cursor position. */
export interface Suggestion {
  value: string;
  label: string;
  hint?: string;
}

const MOST = 12;

/** Returns suggestions for what is being typed. Asks the bot for options with autocomplete. */
export function useSuggestions(
  conversationId: string,
  typing: Typing | undefined,
  commands: readonly ListedCommandView[],
  name: string,
): Suggestion[] {
  const client = useApi();
  const words = useWords(composerWords);
  const names = useNames();
  const readable = useReadable();
  const command = commands.find((one) => sameCommand(one.name, name));
  const option =
    typing?.kind === 'value' ? command?.options?.find((one) => one.name === typing.option) : undefined;
  const isAsked = option !== undefined && (option.autocomplete || option.type === 'choice');
  const asked = useQuery({
    queryKey: ['chat', 'options', conversationId, name, option?.name, typing?.typed],
    queryFn: () =>
      suggestCommandOptionsAsPerson({
        client,
        path: { id: conversationId },
        body: { command: name.slice(1), option: option?.name ?? '', typed: typing?.typed ?? '' },
      }),
    enabled: isAsked,
    placeholderData: (before) => before,
    staleTime: 5000,
  });
  if (!typing) return [];
  const fits = (label: string) => label.toLowerCase().includes(typing.typed.toLowerCase());
  const found: Readonly<Record<Typing['kind'], () => Suggestion[]>> = {
    command: () =>
      commands
        .map((one) => ({
          value: one.name,
          label: `/${one.name.replace(/^\//, '')}`,
          hint: (one.is_builtin && ownHint(one.name, words)) || one.description || one.usage_hint,
        }))
        .filter(({ label }) => label.toLowerCase().startsWith(`/${typing.typed.toLowerCase()}`)),
    option: () =>
      (command?.options ?? [])
        .filter((one) => !(typing.kind === 'option' && typing.given.includes(one.name)) && fits(one.name))
        .map((one) => ({ value: one.name, label: `${one.name}:`, hint: describe(one, words) })),
    value: () => {
      if (isAsked) return (asked.data?.choices ?? []).map(({ name: label, value }) => ({ value, label }));
      if (option?.type === 'boolean')
        return ['true', 'false'].filter(fits).map((one) => ({ value: one, label: one }));
      if (option?.type === 'user')
        return names.all
          .filter((one) => !one.isBot && fits(one.name))
          .map(({ id, name: label }) => ({ value: `<@${id}>`, label }));
      if (option?.type === 'conversation')
        return readable
          .map((one) => ({ value: one.id, label: names.conversation(one) }))
          .filter(({ label }) => fits(label));
      return [];
    },
    mention: () => [
      ...names.all
        .filter((one) => fits(one.name))
        .map(({ id, name: label }) => ({ value: `<@${id}>`, label: `@${label}` })),
      ...['here', 'channel']
        .filter((one) => one.startsWith(typing.typed.toLowerCase()))
        .map((one) => ({ value: `@${one}`, label: `@${one}` })),
    ],
  };
  return found[typing.kind]().slice(0, MOST);
}

const describe = (option: CommandOptionView, words: { required: string }): string =>
  [option.description, option.required ? words.required : ''].filter(Boolean).join(' · ');

/** Descriptions of built-in commands. The server only has English ones. */
const ownHint = (name: string, words: { poll: string; remind: string }): string | undefined =>
  ({ poll: words.poll, remind: words.remind })[name.replace(/^\//, '')];
