// What does a page send of a file? Both forms of it; the release and the built console store only the small one.

import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Page } from '../../core/pages/page.ts'

/** Reads `path.gz`, else `path`. @throws Error when there is neither */
export function compressedFile(path: string): Required<Pick<Page, 'body' | 'gzipped'>> {
  const compressed = `${path}.gz`
  if (existsSync(compressed)) {
    const gzipped = readFileSync(compressed)
    return { body: gunzipSync(gzipped), gzipped }
  }
  const body = readFileSync(path)
  return { body, gzipped: gzipSync(body) }
}
