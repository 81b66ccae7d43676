import { useState } from 'react';
import { Input, Label, TextField } from 'react-aria-components';
import { useWords } from '../../../app/words/use-words.js';
import field from '../../../ui/forms/field.module.css';
import { Finder } from '../finder.js';
import { useReadable } from '../conversations/use-readable.js';
import { useNames } from '../names.js';
import styles from './blocks.module.css';
import { text } from './metadata.js';
import type { ShapeProps } from './shape-props.js';
import { blockWords } from './words.js';

/** Chooses a person, a conversation, a date or a time; what is chosen is sent at once. */
export function Picker(props: ShapeProps) {
  const { element } = props;
  return (
    <div className={styles.choice}>
      {element.type === 'date_picker' || element.type === 'time_picker' ? (
        <Moment {...props} type={element.type === 'date_picker' ? 'date' : 'time'} />
      ) : (
        <OfList {...props} />
      )}
    </div>
  );
}

function OfList({ element, send, isOff }: ShapeProps) {
  const words = useWords(blockWords);
  const names = useNames();
  const readable = useReadable();
  const [value, setValue] = useState(text(element.initial));
  const isPerson = element.type === 'user_select';
  const list = isPerson
    ? names.all.filter(({ isBot }) => !isBot).map(({ id, name }) => ({ id, label: name }))
    : readable.map((conversation) => ({ id: conversation.id, label: names.conversation(conversation) }));
  return (
    <Finder
      label={text(element.placeholder) || (isPerson ? words.person : words.conversation)}
      value={value}
      options={list}
      isDisabled={isOff}
      onChange={(chosen) => {
        if (chosen === value || !list.some(({ id }) => id === chosen)) return;
        setValue(chosen);
        send([chosen]);
      }}
    />
  );
}

function Moment({ element, send, isOff, type }: ShapeProps & { type: 'date' | 'time' }) {
  const words = useWords(blockWords);
  const [value, setValue] = useState(text(element.initial));
  const [sent, setSent] = useState(value);
  const settle = () => {
    if (value === '' || value === sent) return;
    setSent(value);
    send([value]);
  };
  return (
    <TextField className={field.field} value={value} onChange={setValue} isDisabled={isOff} type={type}>
      <Label className={field.label}>
        {text(element.placeholder) || (type === 'date' ? words.date : words.time)}
      </Label>
      <Input
        className={field.input}
        onBlur={settle}
        onKeyDown={(event) => event.key === 'Enter' && settle()}
      />
    </TextField>
  );
}
