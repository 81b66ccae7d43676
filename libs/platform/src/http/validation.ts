import { Injectable, Param, ValidationPipe } from '@nestjs/common';
import type { PipeTransform, ValidationError } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateBy, buildMessage } from 'class-validator';
import { ApiError, invalidField, invalidJson, notFound } from './api-error.js';
import { typeProblem } from './bodies/declared-type.js';
import { requireReadBody } from './json-body.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a value is a uuid in any letter case. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}

/** A DTO field that holds a uuid; answered in lower case. @throws 400 otherwise. */
export function IsUuid({ each = false }: { each?: boolean } = {}): PropertyDecorator {
  const lower = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value);
  return (target, key) => {
    Transform(({ value }: { value: unknown }) => (Array.isArray(value) ? value.map(lower) : lower(value)))(
      target,
      key as string,
    );
    ValidateBy(
      {
        name: 'isUuid',
        validator: {
          validate: isUuid,
          defaultMessage: buildMessage((prefix) => `${prefix}$property must be a uuid`, { each }),
        },
      },
      { each },
    )(target, key);
  };
}

/** The number of Unicode code points: what the contract calls characters. */
export function characters(text: string): number {
  // Cheap for the usual case: a text with no surrogates has as many code points as code units.
  let count = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit <= 0xdbff && index + 1 < text.length) {
      const next = text.charCodeAt(index + 1);
      if (next >= 0xdc00 && next <= 0xdfff) count -= 1;
    }
  }
  return count;
}

/**
 * A DTO field that holds text of `min` to `max` characters (code points). `message` replaces the
 * default text.
 */
export function IsText(
  min: number,
  max: number,
  message?: string,
  { each = false }: { each?: boolean } = {},
): PropertyDecorator {
  const validate = (value: unknown): boolean => {
    if (typeof value !== 'string' || value.includes('\0')) return false;
    const count = characters(value);
    return count >= min && count <= max;
  };
  const range = min === 0 ? `up to ${max}` : `${min} to ${max}`;
  return ValidateBy(
    {
      name: 'isText',
      validator: {
        validate,
        defaultMessage: buildMessage(
          (prefix) => message ?? `${prefix}$property must be a text of ${range} characters`,
          { each },
        ),
      },
    },
    { each },
  );
}

/** A DTO field that holds an `https://` URL, or the empty string where `orEmpty`. */
export function IsHttpsUrl({
  orEmpty = false,
  max = 2048,
}: { orEmpty?: boolean; max?: number } = {}): PropertyDecorator {
  const validate = (value: unknown): boolean => {
    if (typeof value !== 'string') return false;
    if (value === '') return orEmpty;
    return value.length <= max && /^https:\/\//i.test(value) && URL.canParse(value);
  };
  return ValidateBy({
    name: 'isHttpsUrl',
    validator: { validate, defaultMessage: () => '$property must be an HTTPS URL' },
  });
}

/**
 * A path parameter that holds a uuid: lower-cased; a malformed one is 404 (or 400 where the
 * contract says so).
 */
@Injectable()
class UuidPipe implements PipeTransform<unknown, string> {
  constructor(private readonly onMalformed: () => ApiError = notFound) {}

  transform(value: unknown): string {
    if (!isUuid(value)) throw this.onMalformed();
    return value.toLowerCase();
  }
}

/** `@UuidParam('id') id: string`. `malformed` gives another error than 404. */
export const UuidParam =
  (name: string, malformed?: () => ApiError): ParameterDecorator =>
  (target, key, index) => {
    Param(name, new UuidPipe(malformed))(target, key, index);
    const handler = key === undefined ? undefined : Object.getOwnPropertyDescriptor(target, key);
    if (key === undefined || !handler) return;
    ApiParam({ name, schema: { type: 'string', format: 'uuid' } })(target, key, handler);
  };

/**
 * Validates bodies and queries against their DTO class. Unknown fields are dropped, never honoured;
 * the answer is 400 with the text of the first broken rule; a missing body is 400 `invalid JSON`.
 */
export class RequestValidationPipe extends ValidationPipe {
  constructor() {
    super({
      transform: true,
      whitelist: true,
      stopAtFirstError: true,
      validationError: { target: true, value: true },
      exceptionFactory: (errors) => firstBroken(errors) ?? invalidField(undefined, 'invalid request'),
    });
  }

  override async transform(
    value: unknown,
    metadata: Parameters<ValidationPipe['transform']>[1],
  ): Promise<unknown> {
    requireReadBody(value);
    if (
      metadata.type === 'body' &&
      value === undefined &&
      metadata.metatype !== undefined &&
      metadata.metatype !== Object
    )
      throw invalidJson();
    return super.transform(value, metadata);
  }
}

/**
 * The first broken rule of the first field, as the classes have them; `place` is that of what holds
 * the fields.
 */
function firstBroken(errors: ValidationError[], place = ''): ApiError | undefined {
  for (const { target, property, value, constraints, children } of errors) {
    const field = pathOf(place, property);
    const [own] = Object.entries(constraints ?? {});
    const broken = own
      ? invalidField(field, (target && typeProblem(target, property, value, own[0], field)) ?? own[1])
      : firstBroken(children ?? [], field);
    if (broken) return broken;
  }
  return undefined;
}

function pathOf(place: string, property: string): string {
  if (place === '') return property;
  return /^\d+$/.test(property) ? `${place}[${property}]` : `${place}.${property}`;
}
