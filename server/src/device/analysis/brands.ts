// Which brands does a Chromium name? A function of its version: one of them is made up, so that nobody relies on the list.

export interface Brand {
  readonly brand: string
  readonly version: string
}

/** Since when all Chromiums make it up in this way. (components/embedder_support/user_agent_utils.cc) */
const sinceVersion = 110
const marks = [' ', '(', ':', '-', '.', '/', ')', ';', '=', '?', '_']
const versions = ['8', '99', '24']

/** The brand that Chromium of a version makes up; `undefined` for versions that did it in other ways. */
export function madeUpBrand(version: number): Brand | undefined {
  if (version < sinceVersion) return undefined
  const mark = (step: number) => marks[(version + step) % marks.length]
  return { brand: `Not${mark(0)}A${mark(1)}Brand`, version: versions[version % versions.length]! }
}

/** Of a header no more is read than any browser sends. */
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

/** Is the list one that Chromium of its version would tell? A list without Chromium is none. */
export function areTrueBrands(brands: readonly Brand[]): boolean {
  const version = Number(brands.find(({ brand }) => brand === 'Chromium')?.version.split('.')[0])
  if (!Number.isInteger(version)) return false
  const expected = madeUpBrand(version)
  if (!expected) return true
  return brands.some(({ brand, version: told }) => brand === expected.brand && told.split('.')[0] === expected.version)
}
