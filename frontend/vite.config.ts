import { defineConfig } from 'vite';

export default defineConfig({
  base: './',
  build: {
    outDir: '../src/zeroply/apps/web/static',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    // Fixed names: the built files are committed, and the server makes browsers ask for changes.
    rollupOptions: { output: { entryFileNames: 'page.js', assetFileNames: 'page[extname]' } },
  },
  // `npm run dev` beside a running `zeroply serve`.
  server: { proxy: { '/api': { target: 'http://127.0.0.1:8000', ws: true } } },
});
