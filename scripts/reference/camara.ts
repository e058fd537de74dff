// Which versions does the reference page of the CAMARA API list? Those of the one table; the rest is written by hand or by the runner.

import { readFileSync } from 'node:fs'
import { type CamaraApiName, camaraPath, camaraVersions, differenceOf, versionsOf } from '@ringfence/contract'
import { code, table } from './markdown.ts'

const written = new URL('../../docs/reference/camara-api.md', import.meta.url)
const place = /(?<=<!-- versions -->\n)[\s\S]*?(?=<!-- end -->)/

/** The page with its table as it is now. Throws when it has no place for it. */
export function camaraPage(): string {
  const text = readFileSync(written, 'utf8')
  if (!place.test(text)) throw new Error('docs/reference/camara-api.md has no place for the versions')
  const rows = (Object.keys(camaraVersions) as CamaraApiName[]).flatMap((api) =>
    versionsOf(api).map((version) => [code(camaraPath(api, version)), version.release, differenceOf(version)]),
  )
  return text.replace(place, () => table(['path', 'CAMARA', 'difference'], rows))
}
