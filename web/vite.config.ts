// Builds web/dist, which the program embeds. Nothing is inlined, so that the page works under a strict
// content security policy, and names carry a hash of their content, so that browsers may keep them for ever.
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
  base: './',
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2000,
    rollupOptions: { output: { manualChunks: undefined } },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8787' } },
});
