import { useId, useState } from 'react';
import {
  Button as AriaButton,
  Checkbox,
  CheckboxGroup,
  Dialog,
  DialogTrigger,
  Input,
  Popover,
  SearchField,
} from 'react-aria-components';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import checkbox from '../../../ui/forms/checkbox.module.css';
import field from '../../../ui/forms/field.module.css';
import { Check, ChevronDown } from '../../../ui/icons.js';
import { failureText } from '../../../ui/page/failure-text.js';
import { uiWords } from '../../../ui/words.js';
import blockStyles from '../blocks/blocks.module.css';
import { Wrong } from '../modal/wrong.js';
import styles from './app-blocks.module.css';
import type { ElementProps } from './element-props.js';
import { Hint, OptionalMark } from './field-parts.js';
import type { ShownOption } from './options.js';
import { chosenIds, chosenOptions, hasOptions, useChoices } from './use-choices.js';
import { appWords } from './words.js';

/** Options that are listed. Others are found by typing. */
const MOST_LISTED = 50;
/** Lists that are longer have a search field. */
const MANY = 8;

/** A select with several values, in a panel. Closing the panel sends a changed selection. */
export function ManyOptions(props: ElementProps) {
  const { element, type, label, isLabelled, placeholder, held, set, send, isOff, error } = props;
  const words = useWords(appWords);
  const general = useWords(uiWords);
  const [typed, setTyped] = useState('');
  const [sent, setSent] = useState<string>();
  const labelId = useId();
  const choices = useChoices(props, typed);
  const ids = chosenIds(held);
  const known = [...choices.all, ...chosenOptions(held)];
  const chosen = ids.map((id) => known.find((one) => one.id === id) ?? bare(id));
  const most = Number(element.max_selected_items ?? Number.POSITIVE_INFINITY);
  const wanted = choices.isFromApp ? '' : typed.trim().toLocaleLowerCase();
  const matching = choices.all.filter((one) => one.label.toLocaleLowerCase().includes(wanted));
  // Chosen options that are not found by the typed text can still be removed.
  const others = chosen.filter(({ id }) => !matching.some((one) => one.id === id));
  const listed = [...others, ...matching].slice(0, Math.max(MOST_LISTED, others.length));
  const shown = chosen.map((one) => one.label).join(', ');
  const fallback = type.includes('users')
    ? words.people
    : hasOptions(type)
      ? words.chooseSome
      : words.conversations;
  const name = label || fallback;
  const change = (next: string[]) =>
    set(
      hasOptions(type) ? next.map((id) => known.find((one) => one.id === id)?.option ?? { value: id }) : next,
      { isSent: false },
    );
  return (
    <div className={isLabelled ? field.field : undefined}>
      {isLabelled && (
        <span id={labelId} className={field.label}>
          {name}
          <OptionalMark {...props} />
        </span>
      )}
      <DialogTrigger
        onOpenChange={(isOpen) => {
          setTyped('');
          if (isOpen) return setSent(ids.join('\n'));
          if (ids.join('\n') !== sent) send();
        }}
      >
        <AriaButton
          className={isLabelled ? field.trigger : blockStyles.many}
          isDisabled={isOff}
          aria-label={shown === '' ? name : `${name}: ${shown}`}
        >
          <span className={field.value}>{shown || placeholder || fallback}</span>
          <ChevronDown />
        </AriaButton>
        <Popover className={blockStyles.panel}>
          <Dialog aria-label={name} className={blockStyles.panelContent}>
            {({ close }) => (
              <>
                {(choices.isFromApp || choices.all.length > MANY) && (
                  <SearchField aria-label={words.search} value={typed} onChange={setTyped} autoFocus>
                    <Input className={field.input} placeholder={words.typeToFind} />
                  </SearchField>
                )}
                {choices.failure != null && (
                  <span className={field.error} role="alert">
                    {failureText(choices.failure, general)}
                  </span>
                )}
                <CheckboxGroup aria-label={name} className={styles.options} value={ids} onChange={change}>
                  {listed.map((one) => (
                    <Checkbox
                      key={one.id}
                      value={one.id}
                      className={checkbox.checkbox}
                      isDisabled={ids.length >= most && !ids.includes(one.id)}
                    >
                      <span className={checkbox.box} aria-hidden>
                        <Check size={12} />
                      </span>
                      <span>
                        {one.label}
                        {one.hint !== '' && <span className={checkbox.hint}>{one.hint}</span>}
                      </span>
                    </Checkbox>
                  ))}
                </CheckboxGroup>
                <span className={field.hint} role="status">
                  {choices.isFromApp && typed.length < choices.least
                    ? words.typeMore(choices.least)
                    : matching.length === 0
                      ? words.noMatch
                      : matching.length > MOST_LISTED
                        ? words.narrow
                        : Number.isFinite(most)
                          ? words.mostOf(most)
                          : ''}
                </span>
                <Button kind="primary" isSmall onPress={close}>
                  {words.done}
                </Button>
              </>
            )}
          </Dialog>
        </Popover>
      </DialogTrigger>
      <Hint>{props.hint}</Hint>
      <Wrong error={error} />
    </div>
  );
}

const bare = (id: string): ShownOption => ({ id, label: '…', hint: '', option: { value: id } });
