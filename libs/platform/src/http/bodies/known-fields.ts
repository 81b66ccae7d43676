import type { OpenAPIObject } from '@nestjs/swagger';

/** What an object may hold by name; a field without more to it may hold anything. */
interface KnownObject {
  kind: 'object';
  fields: Map<string, Known | undefined>;
}
interface KnownList {
  kind: 'list';
  items: Known;
}
/** What the OpenAPI document says of a JSON value: undefined where it leaves it open. */
export type Known = KnownObject | KnownList;

/** A schema of the document, as far as it is of interest here. */
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
/** Of a name in a warning: whoever sent a longer one knows it. */
const MAX_NAME = 100;

/** Reads which fields the schemas of a document name; schemas may refer to themselves. */
export class SchemaReader {
  private readonly known = new Map<string, Known | undefined>();

  constructor(private readonly document: OpenAPIObject) {}

  read(schema: BodySchema): Known | undefined {
    if (schema.$ref !== undefined) return this.readNamed(schema.$ref);
    if (schema.items) return listOf(this.read(schema.items));
    const alternatives = [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
    // That a field may be null as well says nothing of what else it holds.
    const parts = alternatives.filter(({ type }) => type !== 'null');
    if (parts.length > 0) return unionOf(parts.map((part) => this.read(part)));
    if (!schema.properties || schema.additionalProperties) return undefined;
    const fields = Object.entries(schema.properties).map(([name, one]) => [name, this.read(one)] as const);
    return { kind: 'object', fields: new Map(fields) };
  }

  private readNamed($ref: string): Known | undefined {
    if (this.known.has($ref)) return this.known.get($ref);
    const fields: KnownObject['fields'] = new Map();
    // Met again while it is being read, it is this very object.
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

/** The fields of a body that nobody reads, as texts for its sender: at most 20. */
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
 * What any of the parts names is known; where one is open, or they differ in kind, everything is.
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
