// Which packages does `npm ci --omit=dev` install, and under which licences? Read from the lock file.

import { readFileSync } from 'node:fs'
import Type from 'typebox'
import { Compile } from 'typebox/compile'

export interface ProductionPackage {
  readonly name: string
  readonly version: string
  /** Where npm installs it: `node_modules/ajv`. */
  readonly path: string
  readonly licence: string | undefined
  /** Only for some machines, or not needed everywhere. */
  readonly optional: boolean
}

const Entry = Type.Object({
  version: Type.Optional(Type.String()),
  license: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
  dev: Type.Optional(Type.Boolean()),
  devOptional: Type.Optional(Type.Boolean()),
  optional: Type.Optional(Type.Boolean()),
  peer: Type.Optional(Type.Boolean()),
  link: Type.Optional(Type.Boolean()),
})
const lockCheck = Compile(Type.Object({ packages: Type.Record(Type.String(), Entry) }))

/** Third-party packages of production, sorted by path. */
export function productionPackages(
  lockFile: URL | string = new URL('../package-lock.json', import.meta.url),
): ProductionPackage[] {
  const { packages } = lockCheck.Parse(JSON.parse(readFileSync(lockFile, 'utf8')))
  return Object.entries(packages)
    .filter(([path, { dev, peer }]) => path.includes('node_modules/') && !dev && !peer)
    .filter(([, { link }]) => !link)
    .map(([path, { version = '', license, name, optional, devOptional }]) => ({
      name: name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      path,
      licence: license,
      optional: Boolean(optional || devOptional),
    }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

const allowedLicences = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'Python-2.0',
  // The starter IP data: attributed in README and NOTICE.
  'SEE LICENSE IN DBIP-LICENSE (CC-BY-4.0)',
  'SEE LICENSE IN ROUTEVIEWS-LICENSE and DBIP-LICENSE (CC-BY-4.0)',
]

/** Whether Ringfence may be delivered with a package of this licence, an SPDX expression. */
export function isAllowedLicence(licence: string | undefined): boolean {
  if (licence === undefined) return false
  if (allowedLicences.includes(licence)) return true
  const words = licence.replaceAll(/[()]/g, '')
  const isEither = words.includes(' OR ') && !words.includes(' AND ')
  const parts = words.split(/ (?:AND|OR) /)
  return parts.length > 1 && (isEither ? parts.some(isAllowedLicence) : parts.every(isAllowedLicence))
}
