import type { OpenAPIObject } from '@nestjs/swagger';

/** The fields of an object. A field without a description may contain anything. */
interface KnownObject {
  kind: 'object';
  fields: Map<string, Known | undefined>;
}
interface KnownList {
  kind: 'list';
  items: Known;
}
/** The description of a JSON value in the OpenAPI document: undefined if it may be anything. */
export type Known = KnownObject | KnownList;

/** The parts of a schema that are used here. */
export interface BodySchema {
  $ref?: string;
  type?: unknown;
  properties?: Record<string, BodySchema>;
  additionalProperties?: unknown;
  items?: BodySchema;
  allOf?: BodySchema[];
  oneOf?: BodySchema[];
  anyOf?: BodySchema[];
}

const MAX_WARNINGS = 20;
/** Names in warnings are cut to this length. */
const MAX_NAME = 100;

/** Reads which fields the schemas of a document have; schemas may refer to themselves. */
export class SchemaReader {
  private readonly known = new Map<string, Known | undefined>();

  constructor(private readonly document: OpenAPIObject) {}

  read(schema: BodySchema): Known | undefined {
    if (schema.$ref !== undefined) return this.readNamed(schema.$ref);
    if (schema.items) return listOf(this.read(schema.items));
    const alternatives = [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
    // Whether a field may also be null is irrelevant here.
    const parts = alternatives.filter(({ type }) => type !== 'null');
    if (parts.length > 0) return unionOf(parts.map((part) => this.read(part)));
    if (!schema.properties || schema.additionalProperties) return undefined;
    const fields = Object.entries(schema.properties).map(([name, one]) => [name, this.read(one)] as const);
    return { kind: 'object', fields: new Map(fields) };
  }

  private readNamed($ref: string): Known | undefined {
    if (this.known.has($ref)) return this.known.get($ref);
    const fields: KnownObject['fields'] = new Map();
    // A schema that contains itself refers to this object.
    this.known.set($ref, { kind: 'object', fields });
    const name = $ref.slice($ref.lastIndexOf('/') + 1);
    const read = this.read((this.document.components?.schemas?.[name] ?? {}) as BodySchema);
    if (read?.kind !== 'object') {
      this.known.set($ref, read);
      return read;
    }
    for (const [field, known] of read.fields) fields.set(field, known);
    return this.known.get($ref);
  }
}

/** Returns the unknown fields of a body as texts for its sender: at most 20. */
export function unknownFields(body: unknown, known: Known): string[] {
  const warnings: string[] = [];
  look(body, known, '', warnings);
  return warnings;
}

function look(value: unknown, known: Known, place: string, warnings: string[]): void {
  if (typeof value !== 'object' || value === null) return;
  if (known.kind === 'list') {
    if (!Array.isArray(value)) return;
    for (let index = 0; index < value.length && warnings.length < MAX_WARNINGS; index += 1)
      look(value[index], known.items, `${place}[${index}]`, warnings);
    return;
  }
  if (Array.isArray(value)) return;
  const prefix = place === '' ? '' : `${place}.`;
  for (const name of Object.keys(value)) {
    if (warnings.length >= MAX_WARNINGS) return;
    const field = known.fields.get(name);
    if (field) look((value as Record<string, unknown>)[name], field, `${prefix}${name}`, warnings);
    else if (!known.fields.has(name)) warnings.push(`unknown field: ${prefix}${name.slice(0, MAX_NAME)}`);
  }
}

const listOf = (items: Known | undefined): Known | undefined => items && { kind: 'list', items };

/**
 * A field is known if any part names it. If a part is open, or the parts differ in kind, everything
 * is known.
 */
function unionOf(parts: readonly (Known | undefined)[]): Known | undefined {
  const [first] = parts;
  if (parts.length === 1) return first;
  if (!parts.every((part): part is KnownObject => part?.kind === 'object')) return undefined;
  const fields = new Map<string, Known | undefined>();
  for (const part of parts)
    for (const [name, known] of part.fields)
      fields.set(name, fields.has(name) ? unionOf([fields.get(name), known]) : known);
  return { kind: 'object', fields };
}
