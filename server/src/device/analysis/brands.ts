// Which brands does a Chromium send? One of them is invented, by the version, so that sites do not rely on the list.

import { engineOf } from './engine.ts'
import type { Evidence } from './evidence.ts'

export interface Brand {
  readonly brand: string
  readonly version: string
}

/** The first version in which every Chromium invents it in this way (components/embedder_support/user_agent_utils.cc). */
const sinceVersion = 110
const marks = [' ', '(', ':', '-', '.', '/', ')', ';', '=', '?', '_']
const versions = ['8', '99', '24']

/** The brand that a version of Chromium invents; `undefined` for older versions. */
export function inventedBrand(version: number): Brand | undefined {
  if (version < sinceVersion) return undefined
  const mark = (step: number) => marks[(version + step) % marks.length]
  return { brand: `Not${mark(0)}A${mark(1)}Brand`, version: versions[version % versions.length]! }
}

/** Characters that are read; no browser sends a longer header. */
const longestHeader = 512

/** Reads `"Chromium";v="156", "Not:A-Brand";v="8"` (Structured Fields, RFC 9651). */
export function brandsOfHeader(header: string): Brand[] {
  return [...header.slice(0, longestHeader).matchAll(/"((?:[^"\\]|\\.)*)";\s*v="([^"]*)"/g)].map(
    ([, brand, version]) => ({
      brand: brand!.replaceAll(/\\(.)/g, '$1'),
      version: version!,
    }),
  )
}

/** By its hints or the header; `undefined` for a Chromium that sends neither, as on an insecure page. */
export function isBrave(evidence: Evidence): boolean | undefined {
  if (engineOf(evidence) !== 'chromium') return false
  const { facts, headers } = evidence
  const brands = [...(facts.clientHints?.brands ?? []), ...brandsOfHeader(headers['sec-ch-ua'] ?? '')]
  return brands.length === 0 ? undefined : namesBrave(brands)
}

/** Would a Chromium of this version send this list? A list without Chromium is false. */
export function areTrueBrands(brands: readonly Brand[]): boolean {
  const version = Number(brands.find(({ brand }) => brand === 'Chromium')?.version.split('.')[0])
  if (!Number.isInteger(version)) return false
  const expected = inventedBrand(version)
  if (!expected) return true
  return brands.some(({ brand, version }) => brand === expected.brand && version.split('.')[0] === expected.version)
}

/** Brave has the user agent of Chrome; only its brands name it. */
export const namesBrave = (brands: readonly Pick<Brand, 'brand'>[] = []): boolean =>
  brands.some(({ brand }) => brand === 'Brave')
