import { ValidateBy, ValidateIf } from 'class-validator';
import type { ValidationArguments } from 'class-validator';
import { characters, Check, invalidField, isBlankText, isUuid, oneLineProblem } from '@tieline/platform/http';

/*
 * Validation rules of bot messages. Some error texts and the order of the checks are part of the
 * API: fields in the order of their class, the rules of a field from the lowest decorator up.
 */

const MAX_CONTENT = 4000;
const MAX_DISPLAY_NAME = 64;
const MAX_URL = 2048;

type Body = Readonly<Record<string, unknown>>;

/** Null and empty optional fields count as absent. */
export const isAbsent = (value: unknown): value is undefined | null | '' =>
  value === undefined || value === null || value === '';

/** Content of only white space counts as empty. */
export const isBlank = (value: unknown): boolean => isAbsent(value) || isBlankText(String(value));

/** Applies the field's other rules only if the field is present. */
export const IfGiven = (): PropertyDecorator => ValidateIf((_, value) => !isAbsent(value));

/** Applies the field's other rules only if the field is present and `field` is absent. */
export const IfGivenInPlaceOf = (field: string): PropertyDecorator =>
  ValidateIf((body: Body, value) => isAbsent(body[field]) && !isAbsent(value));

export const IsRequired = (): PropertyDecorator => rule('$property is required', (value) => !isAbsent(value));

export const IsUuidText = (): PropertyDecorator => rule('$property must be a uuid', isUuid);

export const IsTextOrNull = (): PropertyDecorator =>
  rule(
    '$property must be a string',
    (value) => value === undefined || value === null || typeof value === 'string',
  );

export const IsContent = (): PropertyDecorator =>
  rule(
    `content too long (max ${MAX_CONTENT} chars)`,
    (value) => isBlank(value) || characters(value as string) <= MAX_CONTENT,
  );

export const HasContent = (): PropertyDecorator => rule('content is required', (value) => !isBlank(value));

export const HasContentOrAttachments = (): PropertyDecorator =>
  rule(
    'content or attachments required',
    (value, { attachments }) => !isBlank(value) || (Array.isArray(attachments) && attachments.length > 0),
  );

export const IsDisplayName = (): PropertyDecorator =>
  Check((name) => {
    const problem = isBlank(name) ? undefined : oneLineProblem(name, MAX_DISPLAY_NAME);
    return problem === undefined ? undefined : invalidField('display_name', `display_name ${problem}`);
  });

export const IsAvatarUrl = (): PropertyDecorator =>
  rule('display_avatar_url must be an HTTPS URL', (value) => {
    const url = value as string;
    return url.length <= MAX_URL && /^https:\/\//i.test(url) && URL.canParse(url);
  });

export const HasNoFiles = (): PropertyDecorator =>
  rule('attachments are not supported with a trigger', (value) => (value as unknown[]).length === 0);

function rule(text: string, keeps: (value: unknown, body: Body) => boolean): PropertyDecorator {
  const validator = {
    validate: (value: unknown, args?: ValidationArguments) => keeps(value, args?.object as Body),
    defaultMessage: () => text,
  };
  return ValidateBy({ name: text, validator });
}
