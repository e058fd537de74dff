// How is the console built? Into files with hashed names under /console/assets, none of them inlined: the page's policy allows only files.

import { defineConfig, type Plugin } from 'vite'
import { landPath } from './world-map.ts'

/** The service that `npm run dev` calls. */
const service = process.env.RINGFENCE_URL ?? 'http://127.0.0.1:8080'

/** `virtual:land`, which pages with a map load. */
const worldMap: Plugin = {
  name: 'world-map',
  resolveId: (id) => (id === 'virtual:land' ? '\0land' : undefined),
  load: (id) => (id === '\0land' ? `export const land = ${JSON.stringify(landPath())}` : undefined),
}

export default defineConfig({
  base: '/console/',
  plugins: [worldMap],
  build: {
    target: ['chrome123', 'firefox121', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      onwarn: (warning, warn) => warning.code !== 'MODULE_LEVEL_DIRECTIVE' && warn(warning), // "use client" of libraries
      // What many pages share is one file: each file costs a request, and 700 bytes of headers.
      output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 8 }] } },
    },
  },
  server: { proxy: { '/admin': service } },
})
