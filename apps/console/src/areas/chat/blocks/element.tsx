import { useId, useState } from 'react';
import { Button as AriaButton, DialogTrigger, Dialog as AriaDialog, Popover } from 'react-aria-components';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { Menu } from '../../../ui/actions/menu.js';
import { Checkboxes } from '../../../ui/forms/checkbox.js';
import { Select } from '../../../ui/forms/select.js';
import { ChevronDown } from '../../../ui/icons.js';
import type { Room } from '../log/room.js';
import styles from './blocks.module.css';
import { Confirming } from './confirming.js';
import { address, asFields, options, text, texts } from './metadata.js';
import type { Fields } from './metadata.js';
import { Picker } from './picker.js';
import type { ShapeProps } from './shape-props.js';
import { useClick } from './use-click.js';
import { blockWords } from './words.js';

interface ElementProps {
  element: Fields;
  messageId: string;
  room: Room | undefined;
}

/** A button, menu or picker of a message. Asks for its `confirm` before it sends anything. */
export function Element({ element, messageId, room }: ElementProps) {
  const click = useClick(element, messageId, room);
  const [asked, setAsked] = useState<{ values?: readonly string[] | undefined } | undefined>();
  const confirm = element.confirm == null ? undefined : asFields(element.confirm);
  const send = (values?: readonly string[]) => (confirm ? setAsked({ values }) : click.send(values));
  return (
    <>
      <Shape element={element} send={send} isPending={click.isPending} isOff={click.isOff} />
      {confirm && (
        <Confirming
          confirm={confirm}
          isDanger={element.style === 'danger'}
          isOpen={asked !== undefined}
          onClose={() => setAsked(undefined)}
          onConfirm={() => {
            click.send(asked?.values);
            setAsked(undefined);
          }}
        />
      )}
    </>
  );
}

function Shape(props: ShapeProps) {
  switch (props.element.type) {
    case 'button':
      return <ButtonElement {...props} />;
    case 'select':
      return <SelectElement {...props} />;
    case 'radio':
      return <RadioElement {...props} />;
    case 'overflow':
      return <OverflowElement {...props} />;
    case 'multi_select':
    case 'checkboxes':
      return <ManyElement {...props} />;
    case 'user_select':
    case 'conversation_select':
    case 'date_picker':
    case 'time_picker':
      return <Picker {...props} />;
    default:
      return null;
  }
}

function ButtonElement({ element, send, isPending, isOff }: ShapeProps) {
  const url = address(element.url);
  const label = text(element.text);
  if (url !== '')
    return (
      <a className={styles.linkButton} href={url} target="_blank" rel="noreferrer noopener">
        {label}
      </a>
    );
  const kind = element.style === 'primary' ? 'primary' : element.style === 'danger' ? 'danger' : 'secondary';
  return (
    <Button kind={kind} isDisabled={isOff} isPending={isPending} onPress={() => send()}>
      {label}
    </Button>
  );
}

function SelectElement({ element, send, isOff }: ShapeProps) {
  const words = useWords(blockWords);
  const [value, setValue] = useState(text(element.initial));
  return (
    <div className={styles.choice}>
      <Select
        label={text(element.placeholder) || words.choose}
        placeholder={words.choose}
        value={value}
        options={options(element.options)}
        isDisabled={isOff}
        onChange={(chosen) => {
          setValue(chosen);
          send([chosen]);
        }}
      />
    </div>
  );
}

function RadioElement({ element, send, isOff }: ShapeProps) {
  const words = useWords(blockWords);
  const [value, setValue] = useState(text(element.initial));
  // Not the action id: two messages can have the same one, and would form one group.
  const name = useId();
  return (
    <fieldset className={styles.radios} disabled={isOff}>
      <legend>{words.choose}</legend>
      {options(element.options).map(({ id, label }) => (
        <label key={id}>
          <input
            type="radio"
            name={name}
            checked={id === value}
            onChange={() => {
              setValue(id);
              send([id]);
            }}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}

function OverflowElement({ element, send, isOff }: ShapeProps) {
  const words = useWords(blockWords);
  if (isOff) return null;
  return (
    <Menu
      label={words.more}
      actions={options(element.options).map(({ id, label }) => ({ id, label, onAction: () => send([id]) }))}
    />
  );
}

/** A menu with several values, selected in a panel and sent together. */
function ManyElement({ element, send, isPending, isOff }: ShapeProps) {
  const words = useWords(blockWords);
  const all = options(element.options);
  const [chosen, setChosen] = useState<readonly string[]>(texts(element.initial));
  const [isOpen, setOpen] = useState(false);
  const least = Number(element.min_selected ?? 0);
  const most = Number(element.max_selected ?? all.length);
  const label = text(element.placeholder) || words.chooseSome;
  const names = all.filter(({ id }) => chosen.includes(id)).map((option) => option.label);
  const isFitting = chosen.length >= least && chosen.length <= most;
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={setOpen}>
      <AriaButton className={styles.many} isDisabled={isOff} aria-label={`${label}: ${names.join(', ')}`}>
        <span>{names.length > 0 ? names.join(', ') : label}</span>
        <ChevronDown />
      </AriaButton>
      <Popover className={styles.panel}>
        <AriaDialog aria-label={label} className={styles.panelContent}>
          <Checkboxes
            label={label}
            value={chosen}
            options={all}
            onChange={setChosen}
            {...(!isFitting && { hint: words.howMany(least, most) })}
          />
          <Button
            kind="primary"
            isSmall
            isPending={isPending}
            isDisabled={!isFitting}
            onPress={() => {
              send(chosen);
              setOpen(false);
            }}
          >
            {words.send}
          </Button>
        </AriaDialog>
      </Popover>
    </DialogTrigger>
  );
}
