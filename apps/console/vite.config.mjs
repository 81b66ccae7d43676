import optimizeLocales from '@react-aria/optimize-locales-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/**
 * React Aria clears an element with `innerHTML = ''`, which Trusted Types refuse even for an empty
 * text.
 */
const emptiedWithoutHtml = {
  name: 'emptied-without-html',
  transform: (code, id) =>
    /\/LiveAnnouncer\.m?js$/.test(id)
      ? { code: code.replaceAll(".innerHTML = ''", '.replaceChildren()'), map: null }
      : undefined,
};

/**
 * Used by `tools/build-console.mjs`. `npx vite apps/console` serves the console during development.
 */
export default defineConfig({
  plugins: [react(), emptiedWithoutHtml, optimizeLocales.vite({ locales: ['en-US', 'ru-RU'] })],
  resolve: { conditions: ['@tieline/source', 'module', 'browser', 'development|production'] },
  server: { proxy: { '/api': process.env.TIELINE_URL ?? 'http://127.0.0.1:3000' } },
  build: {
    target: 'es2023',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    manifest: true,
    // The Content-Security-Policy forbids inline assets.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: 'assets/licenses.txt' },
    rollupOptions: {
      input: { index: 'index.html', 'service-worker': 'src/service-worker/service-worker.ts' },
      output: {
        // The address of a service worker determines its scope and must not change.
        entryFileNames: ({ name }) =>
          name === 'service-worker' ? 'service-worker.js' : 'assets/[name]-[hash].js',
      },
    },
    emptyOutDir: true,
    chunkSizeWarningLimit: 700,
  },
});
