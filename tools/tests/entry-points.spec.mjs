import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { ROOT, script } from './node-script.mjs';

const files = async (folder) =>
  (await readdir(join(ROOT, folder), { recursive: true })).map((file) => join(folder, file));

/** The imports of a module: from where, and which names. */
async function importsOf(file) {
  const source = ts.createSourceFile(
    file,
    await readFile(join(ROOT, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const imports = [];
  const visit = (node) => {
    if (ts.isImportDeclaration(node) || (ts.isExportDeclaration(node) && node.moduleSpecifier))
      imports.push({ from: /** @type {any} */ (node.moduleSpecifier).text, names: namesOf(node) });
    if (
      ts.isCallExpression(node) &&
      node.expression.kind === ts.SyntaxKind.ImportKeyword &&
      ts.isStringLiteral(node.arguments[0])
    )
      imports.push({ from: node.arguments[0].text, names: [], isDynamic: true });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return imports;
}

function namesOf(node) {
  const named = node.importClause?.namedBindings ?? node.exportClause;
  const names = named?.elements?.map(({ propertyName, name }) => (propertyName ?? name).text) ?? [];
  return node.importClause?.name ? ['default', ...names] : names;
}

it('every module of the tools finds what it imports, also where no test starts it', async () => {
  const modules = (await files('tools')).filter(
    (file) => file.endsWith('.mjs') && !file.startsWith('tools/lint-fixture/'),
  );
  const wanted = [];
  for (const file of modules)
    for (const { from, names, isDynamic } of await importsOf(file))
      wanted.push({
        isDynamic,
        file,
        names,
        from: from.startsWith('.') ? pathToFileURL(resolve(ROOT, dirname(file), from)).href : from,
      });
  expect(wanted.length).toBeGreaterThan(200);
  const checker = script(
    `import { existsSync } from 'node:fs';
     const faults = [];
     for (const { file, names, from, isDynamic } of JSON.parse(process.env.WANTED)) {
       // What is imported only on demand may start to work when it is imported: it has to be there.
       const found = isDynamic && from.startsWith('file:')
         ? (existsSync(new URL(from)) ? {} : { error: new Error(from + ' is missing') })
         : await import(from).catch((error) => ({ error }));
       if (found.error) faults.push(file + ': ' + found.error.message);
       for (const name of names) if (!found.error && !(name in found)) faults.push(file + ': ' + from + ' has no ' + name);
     }
     console.log('faults ' + JSON.stringify(faults));
     process.exit(0);`,
    { WANTED: JSON.stringify(wanted) },
  );
  await checker.said('faults ');
  await checker.ended;
  expect(JSON.parse(/^faults (.*)$/m.exec(checker.output())?.[1] ?? '')).toEqual([]);
});

it('every script of package.json names a file that is there', async () => {
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const there = new Set(await files('tools'));
  for (const command of Object.values(scripts))
    expect([...there]).toContain(/tools\/[\w./-]+\.mjs/.exec(command)?.[0]);
});
