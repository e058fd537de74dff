// What do open libraries say about the same page? They are bundled with our SDK and run after it, one after the other.

import { gzipSync } from 'node:zlib'
import { bundleForBrowsers } from '../../scripts/build-browser-sdk.ts'

/** The result of one library; what it does not judge is absent. */
export interface Opinion {
  /** Its device identifier. */
  readonly id?: string
  readonly isBot?: boolean
  readonly isPrivate?: boolean
  readonly isSpoofed?: boolean
  readonly tookMs: number
  /** Why it has no result. */
  readonly failure?: string
}

interface Library {
  /** Its usual name, with the major version. */
  readonly title: string
  readonly packageName: string
  /** JavaScript whose last expression is the promise of a result without its time; `library` is the module. */
  readonly ask: string
}

/** The checks of fpscanner that detect a disguise rather than a program. */
const disguisesOfFpscanner = [
  'hasMismatchWebGLInWorker',
  'hasMismatchPlatformIframe',
  'hasMismatchPlatformWorker',
  'hasMismatchLanguages',
  'hasInconsistentEtsl',
  'hasGPUMismatch',
  'hasPlatformMismatch',
  'hasImpossibleDeviceMemory',
]

/** Calls to their vendors are turned off. CreepJS is in no package registry, and so is missing here. */
export const libraries = {
  fingerprintjs: {
    title: 'FingerprintJS',
    packageName: '@fingerprintjs/fingerprintjs',
    ask: 'library.load({ monitoring: false }).then((agent) => agent.get()).then(({ visitorId }) => ({ id: visitorId }))',
  },
  thumbmark: {
    title: 'ThumbmarkJS',
    packageName: '@thumbmarkjs/thumbmarkjs',
    ask: 'new library.Thumbmark({ logging: false }).get().then(({ thumbmark }) => ({ id: thumbmark }))',
  },
  botd: {
    title: 'BotD',
    packageName: '@fingerprintjs/botd',
    ask: 'library.load({ monitoring: false }).then((detector) => detector.detect()).then(({ bot }) => ({ isBot: bot }))',
  },
  fpscanner: {
    title: 'fpscanner',
    packageName: 'fpscanner',
    ask: `new library.default().collectFingerprint({ encrypt: false }).then(({ fastBotDetection, fastBotDetectionDetails }) => ({
      isBot: fastBotDetection,
      isSpoofed: ${JSON.stringify(disguisesOfFpscanner)}.some((name) => fastBotDetectionDetails[name]?.detected),
    }))`,
  },
  detectIncognito: {
    title: 'detectIncognito',
    packageName: 'detectincognitojs',
    ask: 'library.detectIncognito().then(({ isPrivate }) => ({ isPrivate }))',
  },
} as const satisfies Record<string, Library>

export type LibraryName = keyof typeof libraries
export const libraryNames = Object.keys(libraries) as LibraryName[]
export type Opinions = Partial<Record<LibraryName, Opinion>>

/** A library may hang, for example where a browser never answers a query. */
const patienceMs = 6_000

/** A module for the page's bundle: `askLibraries(names)` returns the results of some or all libraries. */
export function moduleOfLibraries(): string {
  const entries = Object.entries(libraries)
  return `
${entries.map(([name, { packageName }]) => `import * as ${name} from '${packageName}'`).join('\n')}
const asked = { ${entries.map(([name, { ask }]) => `${name}: [${name}, (library) => ${ask}]`).join(',\n')} }
export async function askLibraries(names = Object.keys(asked)) {
  const opinions = {}
  for (const name of names) {
    const [library, ask] = asked[name]
    const start = performance.now()
    const late = new Promise((_, reject) => setTimeout(() => reject(new Error('no answer')), ${patienceMs}))
    const opinion = await Promise.race([(async () => ask(library))(), late]).catch((error) => ({ failure: String(error?.message ?? error) }))
    opinions[name] = { ...opinion, tookMs: performance.now() - start }
  }
  return opinions
}
`
}

/** The size of each library in a page that uses nothing else, minified and gzipped as ours. */
export async function gzipBytesOf(name: LibraryName): Promise<number> {
  const { packageName, ask } = libraries[name] as Library
  const contents = `import * as library from '${packageName}'\nglobalThis.told = ${ask}`
  const text = await bundleForBrowsers({
    stdin: { contents, resolveDir: import.meta.dirname, loader: 'js' },
    format: 'iife',
  })
  return gzipSync(text, { level: 9 }).length
}
