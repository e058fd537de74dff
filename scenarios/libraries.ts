// What do open libraries say of the same page? Bundled into it beside our SDK, and asked one after the other once that has told.

import { gzipSync } from 'node:zlib'
import { bundleForBrowsers } from '../scripts/build-browser-sdk.ts'

/** What one of them says; what it does not judge is absent. */
export interface Opinion {
  /** What it would know the device by. */
  readonly id?: string
  readonly isBot?: boolean
  readonly isPrivate?: boolean
  readonly isSpoofed?: boolean
  readonly tookMs: number
  /** Why it says nothing. */
  readonly failure?: string
}

interface Library {
  /** As its readers know it, with its major version. */
  readonly title: string
  readonly packageName: string
  /** JavaScript whose last expression is the promise of an opinion without its time; `library` is the module. */
  readonly ask: string
}

/** Of what fpscanner looks at, what is about a disguise rather than about a program. */
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

/** Calls to their makers are switched off. CreepJS is in no package registry, and so is not here. */
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

/** One of them may hang, as where a browser answers no question of its own. */
const patienceMs = 6_000

/** A module whose `askLibraries(names)` answers the opinions of some or all, for a page's bundle. */
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

/** What each weighs in a page that uses nothing else, minified and gzipped as ours is. */
export async function gzipBytesOf(name: LibraryName): Promise<number> {
  const { packageName, ask } = libraries[name] as Library
  const contents = `import * as library from '${packageName}'\nglobalThis.told = ${ask}`
  const text = await bundleForBrowsers({
    stdin: { contents, resolveDir: import.meta.dirname, loader: 'js' },
    format: 'iife',
  })
  return gzipSync(text, { level: 9 }).length
}
