import { useRef, useState } from 'react';
import { useWords } from '../../../language/use-words.js';
import { useReadable } from '../conversations/use-readable.js';
import { Finder } from '../../../ui/forms/finder.js';
import { useNames } from '../names.js';
import styles from './blocks.module.css';
import { ClockField, DateField } from './late-moments.js';
import { text } from './metadata.js';
import type { ShapeProps } from './shape-props.js';
import { blockWords } from './words.js';

/** A picker for a person, conversation, date or time. Sends the value immediately. */
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
      placeholder={words.typeToFind}
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
  // A date selected in the calendar is applied before the page renders again.
  const latest = useRef(value);
  const sent = useRef(value);
  const Part = type === 'date' ? DateField : ClockField;
  return (
    <Part
      label={text(element.placeholder) || (type === 'date' ? words.date : words.time)}
      value={value}
      isDisabled={isOff}
      onChange={(moment) => {
        latest.current = moment;
        setValue(moment);
      }}
      onDone={() => {
        if (latest.current === '' || latest.current === sent.current) return;
        sent.current = latest.current;
        send([latest.current]);
      }}
    />
  );
}
