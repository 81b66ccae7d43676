import { Injectable, Param } from '@nestjs/common';
import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { ValidateBy, buildMessage } from 'class-validator';
import { notFound } from './api-error.js';
import type { ApiError } from './api-error.js';
import { bodyReader, hasRules } from './bodies/body-reader.js';
import { Convert } from './bodies/conversions.js';
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
    Convert((value) => (Array.isArray(value) ? value.map(lower) : lower(value)))(target, key);
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
 * Reads bodies and queries by their DTO class, see {@link bodyReader}: 400 with the text of the
 * first broken rule, or `invalid JSON` for a missing body.
 */
export class RequestValidationPipe implements PipeTransform {
  private readonly readers = new Map<unknown, (value: unknown) => unknown>();

  transform(value: unknown, { metatype }: ArgumentMetadata): unknown {
    requireReadBody(value);
    const read = this.readers.get(metatype) ?? readerOf(metatype);
    this.readers.set(metatype, read);
    return read(value);
  }
}

/** Returns values of types other than DTO classes as they are. */
function readerOf(metatype: ArgumentMetadata['metatype']): (value: unknown) => unknown {
  return metatype && hasRules(metatype) ? bodyReader(metatype as new () => object) : (value) => value;
}
