import { useEffect, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { Input, Label, TextArea, TextField } from 'react-aria-components';
import { useWords } from '../../../language/use-words.js';
import { Fault } from '../../../ui/forms/fault.js';
import field from '../../../ui/forms/field.module.css';
import { asFields, text, texts } from '../blocks/metadata.js';
import type { ElementProps } from './element-props.js';
import { Hint, OptionalMark } from './field-parts.js';
import { numberFault } from './number.js';
import { richTextOf, textOfRich } from './state.js';
import { appWords } from './words.js';

const TYPES: Readonly<Record<string, string>> = { email_text_input: 'email', url_text_input: 'url' };

/** How long typing must pause before `on_character_entered` sends. */
const PAUSE_MS = 400;

/** A text field: plain, rich (without formatting), a number, an email address or a web address. */
export function Line(props: ElementProps) {
  const { element, type, label, isLabelled, placeholder, held, set, isOff, isRequired } = props;
  const { isDispatching } = props;
  const words = useWords(appWords);
  const isRich = type === 'rich_text_input';
  const isNumber = type === 'number_input';
  const value = isRich ? textOfRich(held) : String(held ?? '');
  const [isLeft, setLeft] = useState(false);
  const faultOf = (typed: string) => (isNumber ? numberFault(element, typed, words) : undefined);
  const error = props.error ?? (isLeft ? faultOf(value) : undefined);
  const triggers = texts(asFields(element.dispatch_action_config).trigger_actions_on);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(pause.current), []);
  const heldOf = (typed: string) => (isRich ? richTextOf(typed) : typed === '' ? null : typed);
  const change = (typed: string) => {
    set(heldOf(typed), { isSent: false });
    clearTimeout(pause.current);
    if (!triggers.includes('on_character_entered') || faultOf(typed) !== undefined) return;
    pause.current = setTimeout(() => set(heldOf(typed)), PAUSE_MS);
  };
  const isMany = isRich || (type === 'plain_text_input' && element.multiline === true);
  const press = (event: KeyboardEvent) => {
    const isSent = triggers.length === 0 || triggers.includes('on_enter_pressed');
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || isMany) return;
    if (!isDispatching || !isSent) return;
    // Enter would submit the modal.
    event.preventDefault();
    setLeft(true);
    if (faultOf(value) === undefined) set(heldOf(value));
  };
  return (
    <TextField
      className={field.field}
      aria-label={isLabelled ? undefined : label || placeholder}
      value={value}
      onChange={change}
      isDisabled={isOff}
      isInvalid={error === undefined ? undefined : true}
      type={TYPES[type] ?? 'text'}
      onKeyDown={press}
      onFocus={() => setLeft(false)}
      onBlur={() => setLeft(true)}
      validationBehavior="aria"
      autoFocus={element.focus_on_load === true}
      {...limitsOf(element)}
    >
      {isLabelled && (
        <Label className={field.label}>
          {label}
          <OptionalMark isRequired={isRequired} />
        </Label>
      )}
      {isMany ? (
        <TextArea className={field.input} rows={4} placeholder={placeholder} />
      ) : (
        <Input
          className={field.input}
          placeholder={placeholder}
          {...(isNumber && {
            inputMode: element.is_decimal_allowed === true ? ('decimal' as const) : ('numeric' as const),
          })}
        />
      )}
      <Hint>{props.hint}</Hint>
      <Fault>{error === undefined ? undefined : text(error) || words.required}</Fault>
    </TextField>
  );
}

function limitsOf({ min_length: min, max_length: max }: ElementProps['element']) {
  return {
    ...(typeof min === 'number' && { minLength: min }),
    ...(typeof max === 'number' && { maxLength: max }),
  };
}
