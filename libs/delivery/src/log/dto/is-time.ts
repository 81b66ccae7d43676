import { ApiProperty } from '@nestjs/swagger';
import { Convert } from '@tieline/platform/http';
import { IsDate, IsOptional, isISO8601, isRFC3339 } from 'class-validator';

/**
 * Returns the time that a text describes, or the text itself. Accepts a `+` that arrives as a space
 * because the client did not encode it.
 */
function toTime(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const text = value.replace(/ (\d\d:\d\d)$/, '+$1');
  const time = new Date(text);
  const isTime = isRFC3339(text) && isISO8601(text, { strict: true }) && !Number.isNaN(time.getTime());
  return isTime ? time : value;
}

/**
 * Declares a field with an RFC 3339 time.
 * @throws 400 for anything else
 */
export function IsTime(description: string, { required = false } = {}): PropertyDecorator {
  return (target, key) => {
    ApiProperty({ type: String, format: 'date-time', description, required })(target, key);
    if (!required) IsOptional()(target, key);
    Convert(toTime)(target, key);
    IsDate({ message: `${String(key)} must be an RFC 3339 time` })(target, key as string);
  };
}
