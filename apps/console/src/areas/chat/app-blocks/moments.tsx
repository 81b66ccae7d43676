import { useRef } from 'react';
import { useWords } from '../../../language/use-words.js';
import { ClockField, DateField, InstantField } from '../../../ui/forms/date-field.js';
import blockStyles from '../blocks/blocks.module.css';
import type { ElementProps } from './element-props.js';
import { Hint } from './field-parts.js';
import { appWords } from './words.js';

/** A date, a time, or both. Sent when the field is left, by Enter, or when the calendar closes. */
export function Moment(props: ElementProps) {
  const { type, label, isLabelled, held, set, isOff, isRequired, error } = props;
  const words = useWords(appWords);
  const fallback = type === 'datepicker' ? words.date : type === 'timepicker' ? words.time : words.dateTime;
  const name = label || fallback;
  // A date selected in the calendar is applied before the page renders again.
  const latest = useRef(held);
  const sent = useRef(held);
  const change = (value: unknown) => {
    latest.current = value;
    set(value, { isSent: false });
  };
  const shared = {
    label: isLabelled && !isRequired ? `${name} (${words.optional})` : name,
    isDisabled: isOff,
    error,
    onDone: () => {
      if (latest.current == null || latest.current === sent.current) return;
      sent.current = latest.current;
      set(latest.current);
    },
  };
  return (
    <div className={isLabelled ? undefined : blockStyles.choice}>
      {type === 'datetimepicker' ? (
        <InstantField
          {...shared}
          value={typeof held === 'number' ? new Date(held * 1000).toISOString() : undefined}
          onChange={(value) => change(value === undefined ? null : Math.floor(Date.parse(value) / 1000))}
        />
      ) : type === 'datepicker' ? (
        <DateField {...shared} value={String(held ?? '')} onChange={(value) => change(value || null)} />
      ) : (
        <ClockField {...shared} value={String(held ?? '')} onChange={(value) => change(value || null)} />
      )}
      <Hint>{props.hint}</Hint>
    </div>
  );
}
