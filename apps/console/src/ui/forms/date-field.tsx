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
  /** Of forms. */
  name?: string;
  value: Value;
  onChange: (value: Value) => void;
  isRequired?: boolean | undefined;
  isDisabled?: boolean | undefined;
  autoFocus?: boolean | undefined;
  min?: string | undefined;
  max?: string | undefined;
  /** What the server says about it. */
  error?: string | undefined;
  /** The whole field is left, or Enter is pressed in it. */
  onDone?: () => void;
}

/**
 * The text as a value of the kind, undefined where it is none: forms of bots may begin with
 * anything.
 */
function read<T>(parse: (text: string) => T, text: string | undefined): T | undefined {
  if (text === undefined || text === '') return undefined;
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** What the parts of React Aria have in common here. */
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

/** Parts of a date keep Enter to themselves: it is heard before they have it. */
function Entered({ onDone, children }: { onDone: (() => void) | undefined; children: ReactNode }) {
  return <div onKeyDownCapture={({ key }) => key === 'Enter' && onDone?.()}>{children}</div>;
}

/** A day, typed part by part or chosen in a calendar. The value is `YYYY-MM-DD`, or empty. */
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

/** A minute of a day, in the browser's zone. The value is an instant, RFC 3339, or undefined. */
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

/** A time of day. The value is `HH:MM`, or empty. */
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
