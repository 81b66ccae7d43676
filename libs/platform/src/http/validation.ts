import { Injectable, Param, ValidationPipe } from '@nestjs/common';
import type { PipeTransform, ValidationError } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateBy, buildMessage } from 'class-validator';
import { ApiError, invalidField, invalidJson, notFound } from './api-error.js';
import { typeProblem } from './bodies/declared-type.js';
import { requireReadBody } from './json-body.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns whether a value is a uuid in any letter case. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}

/** A DTO field with a uuid, which is converted to lower case. @throws 400 otherwise. */
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

/** Returns the number of characters (Unicode code points). */
export function characters(text: string): number {
  // Fast path: a text without surrogates has equally many code points and code units.
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
 * A DTO field with a text of `min` to `max` characters (code points). `message` replaces the
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

/** A DTO field with an `https://` URL; with `orEmpty` also the empty string. */
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
 * A path parameter with a uuid, converted to lower case. A malformed one is 404, or the given
 * error.
 */
@Injectable()
class UuidPipe implements PipeTransform<unknown, string> {
  constructor(private readonly onMalformed: () => ApiError = notFound) {}

  transform(value: unknown): string {
    if (!isUuid(value)) throw this.onMalformed();
    return value.toLowerCase();
  }
}

/** `@UuidParam('id') id: string`. `malformed` replaces the 404. */
export const UuidParam =
  (name: string, malformed?: () => ApiError): ParameterDecorator =>
  (target, key, index) => {
    Param(name, new UuidPipe(malformed))(target, key, index);
    const handler = key === undefined ? undefined : Object.getOwnPropertyDescriptor(target, key);
    if (key === undefined || !handler) return;
    ApiParam({ name, schema: { type: 'string', format: 'uuid' } })(target, key, handler);
  };

/**
 * Validates bodies and queries against their DTO class. Unknown fields are dropped. The answer is
 * 400 with the text of the first broken rule; a missing body is 400 `invalid JSON`.
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
 * Returns the first broken rule of the first field, in the order of the classes; `place` is the
 * path of the object with the fields.
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
