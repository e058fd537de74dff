// What does the browser report about itself and its machine?
// Any script or extension can replace these values. Browsers freeze, round or leave out many of them, for privacy:
// - Frozen: the versions in the user agent (Windows NT 10.0, macOS 10.15.7, Android 10; K). iPadOS says that it is a Mac.
// - Chromium only: client hints, `connection`, `deviceMemory`. A page without HTTPS has no client hints and no memory.
// - Firefox with resistFingerprinting reports the same processor and platform for all its users.
// So a value is evidence beside others; alone it proves nothing.

export const userAgent = () => navigator.userAgent

export const platform = () => navigator.platform

export const vendor = () => navigator.vendor

/** Browsers with a PDF viewer list the same five names, whatever is installed. */
export const plugins = () => Array.from(navigator.plugins, ({ name }) => name)

/** An estimate of the speed, `4g` for example; not the kind of network. */
export const connection = () => (navigator as { connection?: { effectiveType?: string } }).connection?.effectiveType

/** Threads that can run at once, according to the browser. */
export const hardwareConcurrency = () => navigator.hardwareConcurrency

/** In GiB, rounded and capped by the browser. */
export const deviceMemory = () => (navigator as { deviceMemory?: number }).deviceMemory

export const maxTouchPoints = () => navigator.maxTouchPoints

interface Brand {
  brand: string
  version: string
}

interface HighEntropyValues {
  fullVersionList?: Brand[]
  platformVersion?: string
  architecture?: string
  bitness?: string
  model?: string
  formFactors?: string[]
}

/** NavigatorUAData, which TypeScript lacks. (Client Hints, WICG) */
interface UserAgentData {
  readonly brands: Brand[]
  readonly mobile: boolean
  readonly platform: string
  getHighEntropyValues(hints: string[]): Promise<HighEntropyValues>
}

const userAgentData = () => (navigator as { userAgentData?: UserAgentData }).userAgentData

const wanted = ['fullVersionList', 'platformVersion', 'architecture', 'bitness', 'model', 'formFactors'] as const

/** Versions, platform and model, which the user agent lacks. */
export async function clientHints() {
  const data = userAgentData()
  if (!data) return undefined
  const { brands, mobile, platform } = data
  // A permissions policy may refuse these; the other hints are still reported.
  const values = await data.getHighEntropyValues([...wanted]).catch(() => ({}))
  return { ...values, brands: [...brands], mobile, platform }
}

/**
 * `x86_64`, `x86`, `arm64` or `arm`. Without client hints the bitness is unknown, so it is `x86` or
 * `arm`.
 */
export async function cpuArchitecture(): Promise<string> {
  const hints = await userAgentData()
    ?.getHighEntropyValues(['architecture', 'bitness'])
    .catch(() => undefined)
  const architecture = hints?.architecture || architectureByNaN()
  if (hints?.bitness !== '64') return architecture
  return { x86: 'x86_64', arm: 'arm64' }[architecture] ?? architecture
}

/** The sign bit of ∞ − ∞ is set on x86 and clear on ARM. */
function architectureByNaN(): string {
  const number = new Float32Array(1)
  const bytes = new Uint8Array(number.buffer)
  number[0] = Number.POSITIVE_INFINITY
  number[0] = number[0] - number[0]
  return bytes[3] === 255 ? 'x86' : 'arm'
}
