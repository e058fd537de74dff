// Which pages are there? The routes, read from their source, so that a new page is in each test of all pages.

import { readFileSync } from 'node:fs'

export const pageRoutes = [
  ...readFileSync(new URL('../router.tsx', import.meta.url), 'utf8').matchAll(/(?: path: |[pP]age\(\s*)'(\/[^']*)'/g),
].map(([, path]) => path!)
