import { useQuery } from '@tanstack/react-query';
import { asFields, objects, text, texts } from '../blocks/metadata.js';
import { useReadable } from '../conversations/use-readable.js';
import { useNames } from '../names.js';
import type { ElementProps } from './element-props.js';
import { optionsOf, shownOption } from './options.js';
import type { ShownOption } from './options.js';
import { conversationId, slackId } from './slack-ids.js';

interface Choices {
  /** What can be chosen for the typed text. */
  all: readonly ShownOption[];
  /** Whether `all` depends on the typed text, because the app finds the options. */
  isFromApp: boolean;
  /** Characters that the app needs at least. */
  least: number;
  failure: unknown;
}

/** Returns what a select offers: options, people, conversations, or what the app finds. */
export function useChoices(props: ElementProps, typed: string): Choices {
  const { element, type, id, suggest } = props;
  const names = useNames();
  const readable = useReadable();
  const isFromApp = type.endsWith('external_select');
  const least = isFromApp ? Number(element.min_query_length ?? 3) : 0;
  const found = useQuery({
    queryKey: ['chat', 'app-options', id, typed],
    queryFn: () => suggest(typed),
    enabled: isFromApp && typed.length >= least,
    placeholderData: (before) => before,
    staleTime: 5000,
    retry: false,
  });
  const plainOption = (value: string, label: string) => ({ id: value, label, hint: '', option: { value } });
  const listed = (): readonly ShownOption[] => {
    if (isFromApp) return typed.length < least ? [] : optionsOf(found.data);
    if (type.endsWith('users_select'))
      return names.all.map((member) => plainOption(slackId('U', member.id), member.name));
    if (type.endsWith('static_select')) return optionsOf(element);
    const isOffered = offers(element, type);
    return readable.filter(isOffered).map((one) => plainOption(conversationId(one), names.conversation(one)));
  };
  return { all: listed(), isFromApp, least, failure: found.error };
}

/** Returns whether a conversation is offered: channels only, or the kinds of `filter`. */
function offers(element: ElementProps['element'], type: string) {
  const kinds = texts(asFields(element.filter).include);
  return (one: { is_direct: boolean; is_public: boolean }): boolean => {
    if (type.endsWith('channels_select')) return !one.is_direct && one.is_public;
    const kind = one.is_direct ? 'im' : one.is_public ? 'public' : 'private';
    return kinds.length === 0 || kinds.includes(kind);
  };
}

/** Whether the value consists of options, not of ids. */
export const hasOptions = (type: string): boolean =>
  type.endsWith('static_select') || type.endsWith('external_select');

/** Returns the ids of what is chosen, in a single or a multiple select. */
export function chosenIds(held: unknown): string[] {
  const list = Array.isArray(held) ? held : [held];
  return list
    .map((one) => (typeof one === 'string' ? one : text(asFields(one).value)))
    .filter((id) => id !== '');
}

/** Returns the chosen options with their texts, which the app may not find any more. */
export const chosenOptions = (held: unknown): ShownOption[] =>
  objects(Array.isArray(held) ? held : [held]).map(shownOption);
