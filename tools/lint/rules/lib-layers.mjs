/**
 * The layer rule: which libs the files of a lib or app may import, by ESLint's own
 * `no-restricted-imports`. eslint.config.mjs has the layers.
 */

const SOURCES = '**/*.{ts,tsx}';
const BY_PATH = {
  regex: '^\\.\\.?/(.*/)?(src|dist)/',
  message: 'import other libs by the name of their package',
};

/**
 * @param {Record<string, string[]>} layers per lib or app what it may import, `*` for everything
 * @param {string[]} tests globs of test files
 * @param {string[]} forTests what test files may import as well
 * @returns {object[]} configuration; a lib or app without a line may import nothing
 */
export function libLayers(layers, tests, forTests) {
  return [
    rule([['{apps,libs}/*/**', SOURCES]], []),
    ...Object.entries(layers).flatMap(([project, allowed]) => {
      const folder = `${project.replace(':', 's/')}/**`;
      return [
        rule([[folder, SOURCES]], [project, ...allowed]),
        rule(
          tests.map((glob) => [folder, glob]),
          [project, ...allowed, ...forTests],
        ),
      ];
    }),
  ];
}

function rule(files, allowed) {
  const names = allowed.map((project) => project.split(':').pop());
  const others = {
    regex: `^@tieline/(?!(${names.join('|')})(/|$))`,
    message: `${allowed[0] ?? 'a project without a layer'} may not import this lib: see eslint.config.mjs`,
  };
  const patterns = allowed.includes('*') ? [BY_PATH] : [others, BY_PATH];
  return { files, rules: { 'no-restricted-imports': ['error', { patterns }] } };
}
