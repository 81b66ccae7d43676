import {
  parseAbsoluteToLocal,
  parseDate,
  parseTime,
  toCalendarDateTime,
  Time,
} from '@internationalized/date';
import type { CalendarDate, CalendarDateTime } from '@internationalized/date';
import type { ReactNode } from 'react';
import {
  Button,
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  DateInput,
  DatePicker,
  DateSegment,
  Dialog,
  Group,
  Heading,
  Label,
  Popover,
  TimeField,
} from 'react-aria-components';
import { CalendarIcon, ChevronLeft, ChevronRight } from '../icons.js';
import { Fault } from './fault.js';
import styles from './date-field.module.css';
import field from './field.module.css';

interface MomentProps<Value extends string | undefined> {
  label: string;
  /** Name in the form. */
  name?: string;
  value: Value;
  onChange: (value: Value) => void;
  isRequired?: boolean | undefined;
  isDisabled?: boolean | undefined;
  autoFocus?: boolean | undefined;
  min?: string | undefined;
  max?: string | undefined;
  /** Error from the server. */
  error?: string | undefined;
  /** Called when the field loses focus or Enter is pressed. */
  onDone?: () => void;
}

/**
 * Parses a value of the kind. Returns undefined for invalid texts, since bots may send any initial
 * value.
 */
function read<T>(parse: (text: string) => T, text: string | undefined): T | undefined {
  if (text === undefined || text === '') return undefined;
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** Props shared by the React Aria components. */
const common = <Value extends string | undefined>({
  name,
  isRequired,
  isDisabled,
  autoFocus,
  error,
  onDone,
}: MomentProps<Value>) => ({
  ...(name !== undefined && { name }),
  ...(isRequired && { isRequired }),
  ...(isDisabled && { isDisabled }),
  ...(autoFocus && { autoFocus }),
  ...(error !== undefined && { isInvalid: true }),
  ...(onDone && { onBlur: onDone }),
  className: field.field as string,
});

/** Segments of a date handle Enter themselves, so it is captured before. */
function Entered({ onDone, children }: { onDone: (() => void) | undefined; children: ReactNode }) {
  return <div onKeyDownCapture={({ key }) => key === 'Enter' && onDone?.()}>{children}</div>;
}

/** A date, typed by segments or selected in a calendar. The value is `YYYY-MM-DD` or empty. */
export function DateField(props: MomentProps<string>) {
  const { label, value, onChange, min, max, error, onDone } = props;
  const [minValue, maxValue] = [read(parseDate, min), read(parseDate, max)];
  return (
    <Entered onDone={props.onDone}>
      <DatePicker<CalendarDate>
        {...common(props)}
        value={read(parseDate, value) ?? null}
        onChange={(day) => onChange(day?.toString() ?? '')}
        {...(minValue && { minValue })}
        {...(maxValue && { maxValue })}
        {...(onDone && { onOpenChange: (isOpen: boolean) => !isOpen && onDone() })}
      >
        <WithCalendar label={label} error={error} />
      </DatePicker>
    </Entered>
  );
}

/** A date and time in the browser's time zone. The value is RFC 3339 or undefined. */
export function InstantField(props: MomentProps<string | undefined>) {
  const { label, value, onChange, error } = props;
  const shown = read(parseAbsoluteToLocal, value);
  return (
    <Entered onDone={props.onDone}>
      <DatePicker<CalendarDateTime>
        {...common(props)}
        granularity="minute"
        shouldForceLeadingZeros
        hourCycle={24}
        value={shown ? toCalendarDateTime(shown) : null}
        onChange={(moment) => onChange(moment ? new Date(moment.toString()).toISOString() : undefined)}
      >
        <WithCalendar label={label} error={error} />
      </DatePicker>
    </Entered>
  );
}

/** A time of day. The value is `HH:MM` or empty. */
export function ClockField(props: MomentProps<string>) {
  const { label, value, onChange, min, max, error } = props;
  const [minValue, maxValue] = [read(parseTime, min), read(parseTime, max)];
  return (
    <Entered onDone={props.onDone}>
      <TimeField<Time>
        {...common(props)}
        hourCycle={24}
        shouldForceLeadingZeros
        value={read(parseTime, value) ?? null}
        onChange={(time) => onChange(time?.toString().slice(0, 5) ?? '')}
        {...(minValue && { minValue })}
        {...(maxValue && { maxValue })}
      >
        <Label className={field.label}>{label}</Label>
        <DateInput className={`${field.input} ${styles.input}`}>
          {(segment) => <DateSegment segment={segment} className={styles.segment as string} />}
        </DateInput>
        <Fault>{error}</Fault>
      </TimeField>
    </Entered>
  );
}

function WithCalendar({ label, error }: { label: string; error: string | undefined }) {
  return (
    <>
      <Label className={field.label}>{label}</Label>
      <Group className={`${field.input} ${styles.group}`}>
        <DateInput className={styles.input as string}>
          {(segment) => <DateSegment segment={segment} className={styles.segment as string} />}
        </DateInput>
        <Button className={styles.open as string}>
          <CalendarIcon size={16} />
        </Button>
      </Group>
      <Fault>{error}</Fault>
      <Popover className={field.popover as string}>
        <Dialog className={styles.dialog as string}>
          <Calendar>
            <header className={styles.head}>
              <Button slot="previous" className={styles.turn as string}>
                <ChevronLeft size={16} />
              </Button>
              <Heading className={styles.month as string} />
              <Button slot="next" className={styles.turn as string}>
                <ChevronRight size={16} />
              </Button>
            </header>
            <CalendarGrid className={styles.grid as string}>
              <CalendarGridHeader>
                {(day) => <CalendarHeaderCell className={styles.weekday as string}>{day}</CalendarHeaderCell>}
              </CalendarGridHeader>
              <CalendarGridBody>
                {(day) => <CalendarCell date={day} className={styles.day as string} />}
              </CalendarGridBody>
            </CalendarGrid>
          </Calendar>
        </Dialog>
      </Popover>
    </>
  );
}
