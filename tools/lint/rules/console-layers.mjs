/**
 * Imports that the layers of the console forbid. Its README describes the layers,
 * eslint.config.mjs applies these patterns.
 */

/** From the lowest to the highest. */
const LAYERS = ['language', 'api', 'ui', 'app', 'areas'];

/** Forbids imports into the layers above. Only the router's file imports the areas. */
const upwards = LAYERS.slice(0, -1).map((layer, index) => {
  const above = LAYERS.slice(index + 1);
  return {
    files: [`apps/console/src/${layer}/**/*.{ts,tsx}`],
    ignores: ['apps/console/src/app/router.ts'],
    pattern: {
      regex: `^(\\.\\./)+(${above.join('|')})/`,
      message: `${layer}/ is a layer below ${above.join(', ')}`,
    },
  };
});

/** Forbids imports into another area, for files at each depth of an area. */
const sideways = ['../', '../../'].map((out, index) => ({
  files: [`apps/console/src/areas/${'*/'.repeat(index + 1)}*.{ts,tsx}`],
  ignores: [],
  pattern: {
    regex: `^${out.replaceAll('.', '\\.')}(?!\\.\\./)`,
    message: 'areas of the console do not import each other',
  },
}));

export const CONSOLE_LAYERS = [...upwards, ...sideways];
