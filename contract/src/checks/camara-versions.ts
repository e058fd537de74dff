// Which versions of each CAMARA API are served, at which path, and how do they differ? The one table of front, sandbox, connectors and docs.

export interface CamaraVersion {
  /** As its path has it: `v0.5`. */
  readonly version: string
  /** CAMARA's number of it. */
  readonly release: string
  /** Only on the main branch of its repository; its next release has this number. */
  readonly isDraft?: true
  /** Members of the request that only later versions have. It ignores them, as every member that it does not know. */
  readonly without?: readonly string[]
  /** A member that it does not know is INVALID_ARGUMENT. */
  readonly isStrict?: true
}

/** By API, the released version first: connectors call that one unless the configuration has another `path`. */
export const camaraVersions = {
  'sim-swap': [{ version: 'v2', release: '2.1.0' }],
  'device-swap': [{ version: 'v1', release: '1.0.0' }],
  'call-forwarding-signal': [{ version: 'v0.4', release: '0.4.0' }],
  'number-recycling': [
    { version: 'v0.2', release: '0.2.0' },
    { version: 'v0.3', release: '0.3.0', isDraft: true, isStrict: true },
  ],
  'kyc-tenure': [
    { version: 'v0.2', release: '0.2.0' },
    { version: 'v0.3', release: '0.3.0', isDraft: true, isStrict: true },
  ],
  'kyc-match': [
    { version: 'v0.4', release: '0.4.0', without: ['bankAccountNumber'] },
    { version: 'v0.5', release: '0.5.0', isDraft: true, isStrict: true },
  ],
  'location-verification': [{ version: 'v3', release: '3.0.0' }],
  'device-roaming-status': [{ version: 'v1', release: '1.1.0' }],
  'device-reachability-status': [{ version: 'v1', release: '1.1.0' }],
  'number-verification': [{ version: 'v2', release: '2.1.0' }],
} as const satisfies Readonly<Record<string, readonly [CamaraVersion, ...CamaraVersion[]]>>
export type CamaraApiName = keyof typeof camaraVersions

export const versionsOf = (api: CamaraApiName): readonly CamaraVersion[] => camaraVersions[api]

export const camaraPath = (api: CamaraApiName, { version }: CamaraVersion): `/${string}` => `/${api}/${version}`

/** Path of the version that operators have. */
export const releasedPath = (api: CamaraApiName) => camaraPath(api, camaraVersions[api][0])

/** What of the table a reader needs beside path and release. */
export function differenceOf({ without = [], isStrict, isDraft }: CamaraVersion): string {
  const differences = [
    ...(isDraft ? ['not released yet: the main branch'] : []),
    ...(without.length > 0 ? [`without ${without.map((name) => `\`${name}\``).join(', ')}`] : []),
    isStrict ? 'refuses members that it does not know' : 'ignores members that it does not know',
  ]
  return differences.join('; ')
}

/** The members that a version knows. */
export const knownTo = <Member>({ without = [] }: CamaraVersion, members: Readonly<Record<string, Member>>) =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !without.includes(name)))

/** For a path of an API in a version that is not served: which ones are. Undefined: no such API. */
export function servedInstead(path: string): string | undefined {
  const [, api = ''] = path.split('/')
  if (!Object.hasOwn(camaraVersions, api)) return undefined
  const name = api as CamaraApiName
  const paths = versionsOf(name).map((version) => camaraPath(name, version))
  return `${api} is served at ${paths.join(' and ')}`
}
