import { useId } from 'react';
import {
  Button,
  Checkbox,
  CheckboxGroup,
  Header,
  Label,
  ListBox,
  ListBoxItem,
  ListBoxSection,
  Popover,
  Select,
  SelectValue,
  Text,
} from 'react-aria-components';
import { useWords } from '../../../language/use-words.js';
import checkbox from '../../../ui/forms/checkbox.module.css';
import field from '../../../ui/forms/field.module.css';
import { Check, ChevronDown } from '../../../ui/icons.js';
import blockStyles from '../blocks/blocks.module.css';
import { asFields, objects, text } from '../blocks/metadata.js';
import { Wrong } from '../modal/wrong.js';
import styles from './app-blocks.module.css';
import { AppText } from './app-text.js';
import type { ElementProps } from './element-props.js';
import { Hint, OptionalMark } from './field-parts.js';
import { groupsOf, optionsOf } from './options.js';
import type { ShownOption } from './options.js';
import { appWords } from './words.js';

/** A menu with one value. */
export function OneOption(props: ElementProps) {
  const { element, label, isLabelled, placeholder, held, set, isOff, error } = props;
  const words = useWords(appWords);
  const groups = groupsOf(element);
  const all = groups.flatMap(({ options }) => options);
  const name = label || words.choose;
  return (
    <div className={isLabelled ? field.field : blockStyles.choice}>
      <Select
        className={field.field}
        aria-label={isLabelled ? undefined : name}
        isDisabled={isOff}
        isInvalid={error !== undefined}
        placeholder={placeholder || words.choose}
        value={text(asFields(held).value) || null}
        onChange={(key) => {
          const chosen = all.find(({ id }) => id === key);
          if (chosen) set(chosen.option);
        }}
      >
        {isLabelled && (
          <Label className={field.label}>
            {name}
            <OptionalMark {...props} />
          </Label>
        )}
        <Button className={field.trigger}>
          <SelectValue className={field.value} />
          <ChevronDown />
        </Button>
        <Popover className={field.popover}>
          <ListBox>
            {groups.map((group, index) =>
              group.label === '' ? (
                group.options.map((option) => <Item key={option.id} option={option} />)
              ) : (
                <ListBoxSection key={index}>
                  <Header className={styles.group}>{group.label}</Header>
                  {group.options.map((option) => (
                    <Item key={option.id} option={option} />
                  ))}
                </ListBoxSection>
              ),
            )}
          </ListBox>
        </Popover>
      </Select>
      <Hint>{props.hint}</Hint>
      <Wrong error={error} />
    </div>
  );
}

const Item = ({ option }: { option: ShownOption }) => (
  <ListBoxItem id={option.id} textValue={option.label} className={field.option}>
    <Text slot="label">{option.label}</Text>
    {option.hint !== '' && <Text slot="description">{option.hint}</Text>}
  </ListBoxItem>
);

/** Radio buttons. */
export function Radios(props: ElementProps) {
  const { element, label, isLabelled, held, set, isOff, error } = props;
  const words = useWords(appWords);
  // Not the action id: two messages can have the same one, and would form one group.
  const name = useId();
  const chosen = text(asFields(held).value);
  return (
    <fieldset className={blockStyles.radios} disabled={isOff}>
      <legend className={isLabelled ? undefined : styles.hidden}>
        {label || words.choose}
        {isLabelled && <OptionalMark {...props} />}
      </legend>
      {optionsOf(element).map(({ id, option }) => (
        <label key={id}>
          <input type="radio" name={name} checked={id === chosen} onChange={() => set(option)} />
          <OptionText option={option} />
        </label>
      ))}
      <Hint>{props.hint}</Hint>
      <Wrong error={error} />
    </fieldset>
  );
}

/** Checkboxes. Each change is sent. */
export function Checks(props: ElementProps) {
  const { element, label, isLabelled, held, set, isOff, error } = props;
  const words = useWords(appWords);
  const all = optionsOf(element);
  return (
    <div className={field.field}>
      <CheckboxGroup
        className={field.field}
        aria-label={isLabelled ? undefined : label || words.chooseSome}
        isDisabled={isOff}
        value={objects(held).map(({ value }) => text(value))}
        onChange={(chosen) => set(all.filter(({ id }) => chosen.includes(id)).map(({ option }) => option))}
      >
        {isLabelled && (
          <Label className={field.label}>
            {label}
            <OptionalMark {...props} />
          </Label>
        )}
        {all.map(({ id, option }) => (
          <Checkbox key={id} value={id} className={checkbox.checkbox}>
            <span className={checkbox.box} aria-hidden>
              <Check size={12} />
            </span>
            <OptionText option={option} />
          </Checkbox>
        ))}
      </CheckboxGroup>
      <Hint>{props.hint}</Hint>
      <Wrong error={error} />
    </div>
  );
}

/** Text and description of a radio button or checkbox, which may have markup. */
const OptionText = ({ option }: { option: ShownOption['option'] }) => (
  <span className={styles.optionText}>
    <AppText part={option.text} />
    {text(option.description) !== '' && (
      <span className={checkbox.hint}>
        <AppText part={option.description} />
      </span>
    )}
  </span>
);
