import { Matches } from 'class-validator';
import { IsText } from '@tieline/platform/http';

/** A DTO field that holds a name: 1 to `max` characters that are not all white space. */
export function IsName(max: number): PropertyDecorator {
  const message = `$property must be a text of 1 to ${max} characters`;
  return (target, key) => {
    IsText(1, max, message)(target, key);
    Matches(/\S/u, { message })(target, key);
  };
}

/** Characters that a person's display name may have. */
export const MAX_DISPLAY_NAME = 64;
