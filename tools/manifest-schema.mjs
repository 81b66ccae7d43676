/** The JSON Schema of Tieline's manifests, as docs/openapi.json describes them. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const FILE = 'docs/app-manifest.schema.json';
const REF = '#/components/schemas/';

/** Returns the schema of a manifest. */
export function manifestSchema(document) {
  const named = document.components.schemas;
  const definitions = {};
  const visit = (value) => {
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== 'object' || value === null) return value;
    const rest = { ...value };
    delete rest.example;
    if (typeof rest.$ref !== 'string')
      return Object.fromEntries(Object.entries(rest).map(([key, one]) => [key, visit(one)]));
    const name = rest.$ref.slice(REF.length);
    if (!(name in definitions)) {
      definitions[name] = {};
      definitions[name] = visit(named[name]);
    }
    return { ...rest, $ref: `#/$defs/${name}` };
  };
  const { type, properties, required, ...rest } = visit(named.ManifestDto);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Manifest of a Tieline app',
    ...rest,
    type,
    properties: { $schema: { type: 'string' }, ...properties },
    required,
    additionalProperties: false,
    $defs: definitions,
  };
}

/** Reads the schema that is committed, and the document. */
export async function readManifestSchema(root) {
  const [schema, document] = await Promise.all(
    [FILE, 'docs/openapi.json'].map(async (path) => JSON.parse(await readFile(join(root, path), 'utf8'))),
  );
  return { schema, document };
}

export async function writeManifestSchema(root) {
  const document = JSON.parse(await readFile(join(root, 'docs/openapi.json'), 'utf8'));
  await writeFile(join(root, FILE), `${JSON.stringify(manifestSchema(document), null, 2)}\n`);
}
