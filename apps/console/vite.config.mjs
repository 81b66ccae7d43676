import optimizeLocales from '@react-aria/optimize-locales-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/**
 * React Aria empties an element with `innerHTML = ''`, which the page's Trusted Types refuse even
 * for nothing.
 */
const emptiedWithoutHtml = {
  name: 'emptied-without-html',
  transform: (code, id) =>
    /\/LiveAnnouncer\.m?js$/.test(id)
      ? { code: code.replaceAll(".innerHTML = ''", '.replaceChildren()'), map: null }
      : undefined,
};

/**
 * How `tools/build-console.mjs` builds the console; `npx vite apps/console` serves it while it is
 * worked on.
 */
export default defineConfig({
  plugins: [react(), emptiedWithoutHtml, optimizeLocales.vite({ locales: ['en-US', 'ru-RU'] })],
  resolve: { conditions: ['@tieline/source', 'module', 'browser', 'development|production'] },
  server: { proxy: { '/api': process.env.TIELINE_URL ?? 'http://127.0.0.1:3000' } },
  build: {
    target: 'es2023',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    manifest: true,
    // What the Content-Security-Policy forbids is not made: nothing inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: 'assets/licenses.txt' },
    rollupOptions: {
      input: { index: 'index.html', 'service-worker': 'src/service-worker/service-worker.ts' },
      output: {
        // A service worker's address says what it is in charge of, and stays the same.
        entryFileNames: ({ name }) =>
          name === 'service-worker' ? 'service-worker.js' : 'assets/[name]-[hash].js',
      },
    },
    emptyOutDir: true,
    chunkSizeWarningLimit: 700,
  },
});
