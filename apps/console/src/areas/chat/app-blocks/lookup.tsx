import { useState } from 'react';
import { useWords } from '../../../language/use-words.js';
import { Finder } from '../../../ui/forms/finder.js';
import { failureText } from '../../../ui/page/failure-text.js';
import { uiWords } from '../../../ui/words.js';
import blockStyles from '../blocks/blocks.module.css';
import type { ElementProps } from './element-props.js';
import { chosenIds, chosenOptions, hasOptions, useChoices } from './use-choices.js';
import { appWords } from './words.js';

/** A select with a search: options of the app, people, conversations or channels. */
export function Lookup(props: ElementProps) {
  const { type, label, isLabelled, placeholder, held, set, isOff, error, isRequired } = props;
  const words = useWords(appWords);
  const general = useWords(uiWords);
  const [typed, setTyped] = useState('');
  const { all, isFromApp, least, failure } = useChoices(props, typed);
  const [chosen = ''] = chosenIds(held);
  // The chosen option keeps its text when the app finds others.
  const rest = chosenOptions(held).filter(({ id }) => !all.some((one) => one.id === id));
  const options = isFromApp ? [...all, ...rest] : all;
  const fallback = type.startsWith('users')
    ? words.person
    : hasOptions(type)
      ? words.choose
      : words.conversation;
  const isShort = isFromApp && typed.length > 0 && typed.length < least;
  return (
    <div className={isLabelled ? undefined : blockStyles.choice}>
      <Finder
        key={options.some(({ id }) => id === chosen) ? 'known' : 'unknown'}
        label={isLabelled && !isRequired ? `${label} (${words.optional})` : label || fallback}
        isBare={!isLabelled}
        value={chosen}
        options={options}
        placeholder={placeholder || words.typeToFind}
        isDisabled={isOff}
        error={error ?? (failure ? failureText(failure, general) : undefined)}
        hint={isShort ? words.typeMore(least) : props.hint}
        onChange={(id) => {
          if (id === chosen) return;
          const found = options.find((one) => one.id === id);
          if (found) set(hasOptions(type) ? found.option : id);
          // An emptied field removes the value. It is not sent, as no option is chosen.
          else if (id === '') set(null, { isSent: false });
        }}
        {...(isFromApp && { onTyped: setTyped })}
      />
    </div>
  );
}
