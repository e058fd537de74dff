// How does an engine call hand its analysis to the push? Sealed for session and request, and always of one length.

import type { SessionCall } from '../../apps/call.ts'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import { sealingBytes } from '../../core/crypto/sealed-text.ts'
import type { Analysis } from '../analysis/analyse.ts'
import type { Changes } from '../analysis/changes.ts'
import { changeUnder } from '../identity/installation-change.ts'
import type { Compression } from '../store/compression/compression.ts'
import { analysisOfText, idsIn, textOfAnalysis } from '../store/record.ts'

/** What an engine call found out, and what a push stores of it. */
export interface Learned {
  readonly analysis: Analysis
  readonly changes: Changes
  /** What identifies the challenge in the store (apps/challenge.ts). */
  readonly challenge: Uint8Array
  /** Hash of the body of the engine call. */
  readonly bodyHash: Uint8Array
}

/** The text of the analysis is stored as it is. */
export type CarriedAnalysis = Learned & { readonly text: string }

/** A push brings the analysis within this time. */
export const carriedForMs = 600_000

/**
 * Compressed verdicts would show in the length. So every answer has this length, in base64url: also that of an analysis that is too
 * large to be carried, which is stored at the engine call.
 */
export const carriedLength = 3072
const contentBytes = (carriedLength * 3) / 4 - sealingBytes
/** The content begins with its length. */
const lengthBytes = 2

/** The format is part of the context: a server of another version refuses the text, and the SDK opens a new session. */
const contextOf = (requestId: string, { app, session }: Pick<SessionCall, 'app' | 'session'>) =>
  `carried analysis 1 ${app.tenantId} ${app.id} ${session.platform} ${session.id} ${requestId}`

type Place = Pick<SessionCall, 'app' | 'session'>

/** `analysis` of the answer; undefined when it is too large. */
export function sealCarried(
  { analysis, text, ...rest }: CarriedAnalysis,
  place: Place,
  keys: TenantKeys,
  compression: Compression,
): string | undefined {
  const lines = [text, JSON.stringify(rest, bytesAsText)]
  const compact = compression.compress(lines.join('\n'), idsIn(analysis), 'brief')
  if (compact.length > contentBytes - lengthBytes) return undefined
  return sealedOf(compact, analysis.requestId, place, keys)
}

/** `analysis` of the answer when the analysis is stored. */
export const sealStored = (requestId: string, place: Place, keys: TenantKeys): string =>
  sealedOf(new Uint8Array(0), requestId, place, keys)

function sealedOf(compact: Uint8Array, requestId: string, place: Place, keys: TenantKeys): string {
  const content = Buffer.alloc(contentBytes)
  content.writeUInt16BE(compact.length)
  content.set(compact, lengthBytes)
  return Buffer.from(keys.seal(content, contextOf(requestId, place))).toString('base64url')
}

/** `data.analysis` of a push. `stored`: at the engine call. `foreign`: not sealed for this session and request, or altered. */
export function openCarried(
  text: string,
  requestId: string,
  place: Place,
  keys: TenantKeys,
  compression: Compression,
): CarriedAnalysis | 'stored' | 'foreign' {
  if (text.length !== carriedLength) return 'foreign'
  let content: Buffer
  try {
    content = Buffer.from(keys.openBytes(Buffer.from(text, 'base64url'), contextOf(requestId, place)))
  } catch {
    return 'foreign'
  }
  const length = content.readUInt16BE()
  if (length === 0) return 'stored'
  const [ofAnalysis = '', rest = ''] = compression
    .expand(content.subarray(lengthBytes, lengthBytes + length))
    .split('\n')
  return { analysis: analysisOfText(ofAnalysis), text: ofAnalysis, ...JSON.parse(rest, textAsBytes) }
}

/** The same with other ids for its device and for the one that it resembles: they turned out to be older ones. */
export function renamed(carried: CarriedAnalysis, ids: ReadonlyMap<string, string>): CarriedAnalysis {
  const { deviceId, identification, deviceInfo, newDevice, ...rest } = carried.analysis
  const current = deviceId && (ids.get(deviceId) ?? deviceId)
  const likely = identification?.likely
  const resembled = likely && { ...likely, deviceId: ids.get(likely.deviceId) ?? likely.deviceId }
  const { likely: _, ...certain } = identification ?? {}
  const analysis = {
    ...rest,
    ...(current !== undefined && { deviceId: current }),
    ...(newDevice !== undefined && { newDevice: newDevice && current === deviceId }),
    ...(identification && {
      identification: { ...certain, ...(resembled && resembled.deviceId !== current && { likely: resembled }) },
    }),
    deviceInfo: { ...deviceInfo, ...(current !== undefined && { deviceId: current }) },
  } as Analysis
  const { installation, ...others } = carried.changes
  const changes = { ...others, ...(installation && { installation: changeUnder(installation, ids) }) }
  return { ...carried, analysis, text: textOfAnalysis(analysis), changes }
}

/** JSON has no bytes: they become `{ "base64": … }`. */
function bytesAsText(this: Readonly<Record<string, unknown>>, name: string, value: unknown): unknown {
  const bytes = this[name] // a Buffer has become an array of numbers in `value`
  return bytes instanceof Uint8Array ? { base64: Buffer.from(bytes).toString('base64') } : value
}

function textAsBytes(_: string, value: unknown): unknown {
  const isBytes = typeof value === 'object' && value !== null && 'base64' in value
  return isBytes ? new Uint8Array(Buffer.from(String(value.base64), 'base64')) : value
}
