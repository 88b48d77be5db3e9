import { defineConfig } from 'vite';

export default defineConfig({
  base: './',
  build: {
    outDir: '../src/zeroply/apps/web/static',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
    // One page, two entries: page.js asks a server, alone.js a worker; the rest is shared.
    // Fixed names: the built files are committed, and the server makes browsers ask for changes.
    rollupOptions: {
      input: { page: 'index.html', alone: 'src/alone/main.ts' },
      output: { entryFileNames: '[name].js', chunkFileNames: 'shared.js', assetFileNames: 'page[extname]' },
    },
  },
  worker: { format: 'es', rollupOptions: { output: { entryFileNames: 'worker.js' } } },
  // `npm run dev` beside a running `zeroply serve`.
  server: { proxy: { '/api': { target: 'http://127.0.0.1:8000', ws: true } } },
});
