import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { manifestSchema, readManifestSchema } from '../manifest-schema.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

let schema;
let document;
beforeAll(async () => {
  ({ schema, document } = await readManifestSchema(ROOT));
});

it('docs/app-manifest.schema.json is what docs/openapi.json says (`npm run docs:api`)', () => {
  expect(schema).toEqual(manifestSchema(document));
});

it('accepts the manifest of the API documentation, and no other field', () => {
  const validate = new Ajv2020({ strict: false }).compile(schema);
  const { requestBody } = document.paths['/api/v1/admin/apps/manifest'].post;
  const [{ value }] = Object.values(requestBody.content['application/json'].examples);
  const { manifest } = value;
  expect([validate(manifest), validate.errors]).toEqual([true, null]);
  expect(validate({ ...manifest, color: 'blue' })).toBe(false);
  expect(validate({ ...manifest, commands: [{}] })).toBe(false);
});
