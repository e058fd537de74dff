// What does a page send of a file? Every form of it; the release and the built console store only the small ones.

import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Page } from '../../core/pages/page.ts'

/** Reads `path.gz`, with `path.br` where there is one; else `path`. @throws Error when there is neither */
export function compressedFile(path: string): Required<Pick<Page, 'body' | 'gzipped'>> & Pick<Page, 'brotli'> {
  const compressed = `${path}.gz`
  if (existsSync(compressed)) {
    const gzipped = readFileSync(compressed)
    const brotli = `${path}.br`
    return { body: gunzipSync(gzipped), gzipped, ...(existsSync(brotli) && { brotli: readFileSync(brotli) }) }
  }
  const body = readFileSync(path)
  return { body, gzipped: gzipSync(body) }
}
