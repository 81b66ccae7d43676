import { suggestModalOptionsAsPerson } from '@tieline/sdk/api';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Input, Label, TextArea, TextField } from 'react-aria-components';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { Checkbox, Checkboxes } from '../../../ui/forms/checkbox.js';
import { Fault } from '../../../ui/forms/fault.js';
import styles from '../../../ui/forms/field.module.css';
import blocks from '../blocks/blocks.module.css';
import { ClockField, DateField } from '../blocks/late-moments.js';
import { blockWords } from '../blocks/words.js';
import { useReadable } from '../conversations/use-readable.js';
import { Finder } from '../../../ui/forms/finder.js';
import { useNames } from '../names.js';
import { FileInput } from './file-input.js';
import { isMany } from './form.js';
import type { ModalInputProps } from './modal-input-props.js';
import { Wrong } from './wrong.js';

const INPUT_TYPES: Readonly<Record<string, string>> = {
  number: 'number',
  email: 'email',
  url: 'url',
};

/** One field of a bot's form, by type. */
export function ModalInput(props: ModalInputProps) {
  const { field } = props;
  if (isMany(field)) return <Many {...props} />;
  switch (field.type) {
    case 'checkbox':
      return <Tick {...props} />;
    case 'select':
    case 'user':
    case 'conversation':
      return <OfList {...props} />;
    case 'radio':
      return field.isFromBot ? <OfList {...props} /> : <Radio {...props} />;
    case 'date':
      return <DateField {...momentOf(props)} />;
    case 'time':
      return <ClockField {...momentOf(props)} />;
    case 'file':
      return <FileInput {...props} />;
    default:
      return <Line {...props} />;
  }
}

/** Converts a date or time field to the props of its picker. */
const momentOf = ({ field, value, onChange, error, isFirst }: ModalInputProps) => ({
  label: field.label,
  value: String(value ?? ''),
  onChange: (moment: string) => onChange(moment),
  isRequired: field.isRequired,
  autoFocus: isFirst,
  error,
  ...(field.min !== undefined && { min: String(field.min) }),
  ...(field.max !== undefined && { max: String(field.max) }),
});

function Line({ field, value, onChange, error, isFirst }: ModalInputProps) {
  const limits = {
    ...(field.minLength !== undefined && { minLength: field.minLength }),
    ...(field.maxLength !== undefined && { maxLength: field.maxLength }),
  };
  return (
    <TextField
      className={styles.field}
      value={String(value ?? '')}
      onChange={onChange}
      isRequired={field.isRequired}
      isInvalid={error === undefined ? undefined : true}
      type={INPUT_TYPES[field.type] ?? 'text'}
      autoFocus={isFirst}
      {...limits}
    >
      <Label className={styles.label}>{field.label}</Label>
      {field.type === 'textarea' ? (
        <TextArea className={styles.input} rows={4} placeholder={field.placeholder} />
      ) : (
        <Input
          className={styles.input}
          placeholder={field.placeholder}
          min={field.min}
          max={field.max}
          {...(field.type === 'number' && { step: 'any' })}
        />
      )}
      <Fault>{error}</Fault>
    </TextField>
  );
}

function Tick({ field, value, onChange, error }: ModalInputProps) {
  return (
    <div className={styles.field}>
      <Checkbox isSelected={value === true} onChange={onChange} isRequired={field.isRequired}>
        {field.label}
      </Checkbox>
      <Wrong error={error} />
    </div>
  );
}

function Radio({ field, value, onChange, error }: ModalInputProps) {
  return (
    <fieldset className={blocks.radios}>
      <legend>{field.label}</legend>
      {field.options.map(({ id, label }) => (
        <label key={id}>
          <input
            type="radio"
            name={field.id}
            checked={id === value}
            required={field.isRequired}
            onChange={() => onChange(id)}
          />
          {label}
        </label>
      ))}
      <Wrong error={error} />
    </fieldset>
  );
}

function Many(props: ModalInputProps) {
  const { field, value, onChange, error } = props;
  const suggested = useSuggested(props, '');
  const all = field.isFromBot ? suggested : field.options;
  return (
    <div className={styles.field}>
      <Checkboxes label={field.label} value={value as string[]} options={all} onChange={onChange} />
      <Wrong error={error} />
    </div>
  );
}

/** Returns the bot's suggestions for the typed text. */
function useSuggested({ field, token }: ModalInputProps, typed: string) {
  const client = useApi();
  const { data } = useQuery({
    queryKey: ['chat', 'modal-options', token, field.id, typed],
    queryFn: () =>
      suggestModalOptionsAsPerson({ client, path: { modal_token: token }, body: { field: field.id, typed } }),
    enabled: field.isFromBot,
    placeholderData: (before) => before,
    staleTime: 5000,
  });
  return (data?.choices ?? []).map(({ name, value }) => ({ id: value, label: name }));
}

function OfList(props: ModalInputProps) {
  const { field, value, onChange, error } = props;
  const words = useWords(blockWords);
  const names = useNames();
  const readable = useReadable();
  const [typed, setTyped] = useState('');
  const suggested = useSuggested(props, typed);
  const people = names.all.filter(({ isBot }) => !isBot).map(({ id, name }) => ({ id, label: name }));
  const lists: Readonly<Record<string, { id: string; label: string }[]>> = {
    user: people,
    conversation: readable.map((one) => ({ id: one.id, label: names.conversation(one) })),
  };
  return (
    <Finder
      label={field.label}
      name={field.id}
      value={String(value ?? '')}
      onChange={onChange}
      options={field.isFromBot ? suggested : (lists[field.type] ?? field.options)}
      isRequired={field.isRequired}
      placeholder={field.placeholder || words.typeToFind}
      error={error}
      isFree={field.type === 'user'}
      {...(field.isFromBot && { onTyped: setTyped })}
    />
  );
}
