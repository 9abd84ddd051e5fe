import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'

// The page is built into the Python package. No other host is ever asked for anything, so everything is in here.
export default defineConfig({
  plugins: [svelte()],
  base: '/',
  build: { outDir: '../src/kortlek/page', emptyOutDir: true, assetsInlineLimit: 0, target: 'es2022', modulePreload: { polyfill: false } },
  server: { proxy: { '/api': { target: 'http://127.0.0.1:8642', ws: true }, '/words': 'http://127.0.0.1:8642', '/faces': 'http://127.0.0.1:8642' } },
})
