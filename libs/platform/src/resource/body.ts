import { ApiProperty } from '@nestjs/swagger';
import type { ApiPropertyOptions } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsOptional } from 'class-validator';
import { IsUuid } from '../http/validation.js';
import { named } from './field.js';
import type {
  DefaultKeys,
  Field,
  Fields,
  Flat,
  SettableKeys,
  SettingRequest,
  Value,
  WireName,
} from './field.js';

type RequiredKeys<F, R extends SettingRequest> = R extends 'create'
  ? Exclude<SettableKeys<F, R>, DefaultKeys<F>>
  : never;
type OptionalKeys<F, R extends SettingRequest> = Exclude<SettableKeys<F, R>, RequiredKeys<F, R>>;
type Given<F> = F extends { declared: { read: (value: infer T) => unknown } } ? T : Value<F>;
type Read<F> = F extends { declared: { read: (value: never) => infer T } } ? T : Value<F>;

/** The body of a request. Null counts as absent. */
type BodyOf<F, R extends SettingRequest> = Flat<
  { [K in RequiredKeys<F, R> as WireName<K>]: Given<F[K]> } & {
    [K in OptionalKeys<F, R> as WireName<K>]?: Given<F[K]> | null;
  }
>;

/** The values in a request, under their names in the program. Absent ones stay unchanged. */
export type InputOf<F, R extends SettingRequest> = Flat<
  { [K in RequiredKeys<F, R>]: Read<F[K]> } & { [K in OptionalKeys<F, R>]?: Read<F[K]> | undefined }
>;

interface BodyClass<F, R extends SettingRequest> {
  new (): BodyOf<F, R>;
  /** Returns the values in a valid body. Leaves out absent and null ones. */
  valuesOf(body: BodyOf<F, R>): InputOf<F, R>;
}

/**
 * Returns the base class of a request's body with the fields that the request sets:
 * `export class CreateBotDto extends bodyOf(BOT, 'create') {}`. `create` requires the fields
 * without default; in other requests all are optional.
 */
export function bodyOf<F extends Fields, const R extends SettingRequest>(
  fields: F,
  request: R,
): BodyClass<F, R> {
  const settable = named(fields).filter(({ declared }) => declared.settable?.includes(request));
  class Body {
    static valuesOf(body: Readonly<Record<string, unknown>>): object {
      const present = settable.filter(({ wire }) => body[wire] != null);
      return Object.fromEntries(
        present.map(({ name, wire, declared: { read } }) => [
          name,
          read ? read(body[wire] as never) : body[wire],
        ]),
      );
    }
  }
  for (const one of settable) {
    const isRequired = request === 'create' && !('default' in one.declared);
    ApiProperty(documented(one, request, isRequired))(Body.prototype, one.wire);
    for (const rule of rulesOf(one)) rule(Body.prototype, one.wire);
    if (!isRequired) IsOptional()(Body.prototype, one.wire);
  }
  return Body as unknown as BodyClass<F, R>;
}

const TYPES: Readonly<Record<string, ApiPropertyOptions>> = {
  uuid: { type: String, format: 'uuid' },
  text: { type: String },
  bool: { type: Boolean },
  int4: { type: 'integer' },
  json: { type: Object },
};

function documented(
  { column, declared }: Field,
  request: SettingRequest,
  required: boolean,
): ApiPropertyOptions {
  const { example, description, enum: values, body, default: value } = declared;
  const element = column.type.replace('[]', '');
  // Only new rows get the default. Other requests leave absent fields unchanged.
  const hasDefault = request === 'create' && value !== null && typeof value !== 'object';
  return {
    ...TYPES[element],
    ...(element !== column.type && { isArray: true }),
    required,
    ...(values && { enum: [...values] }),
    ...(hasDefault && { default: value }),
    ...body,
    description: body?.description ?? description,
    example: body?.example ?? example,
  } as ApiPropertyOptions;
}

/** Drops repeated values of a list. For `read`. */
export function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}

function rulesOf({ wire, column, declared }: Field & { wire: string }): readonly PropertyDecorator[] {
  const { rules, enum: values } = declared;
  if (rules) return rules;
  if (values) return [IsIn(values, { message: `${wire} must be one of ${values.join(', ')}` })];
  if (column.type === 'bool') return [IsBoolean()];
  if (column.type === 'uuid') return [IsUuid()];
  throw new Error(`${wire} is settable and has no rules`);
}
