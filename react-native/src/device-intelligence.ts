// What does a React Native app call? The operations of the iOS SDK, as promises.

/** What the integrator knows of the person and the moment; all of it is optional (specification 2.7). */
export interface UpdateInfo {
  readonly userId?: string
  readonly phoneNumber?: string
  readonly phoneInputType?: 'MANUAL' | 'COPY_PASTED' | 'GOOGLE_HINT'
  readonly otpInputType?: 'MANUAL' | 'COPY_PASTED' | 'AUTO_FILLED'
  readonly userEventType?: 'LOGIN' | 'SIGNUP' | 'TRANSACTION' | 'OTHERS'
  readonly merchantId?: string
  readonly additionalInput?: Readonly<Record<string, string>>
}

export interface Intelligence {
  /** For the backend, which fetches the report with it. */
  readonly dfrId: string
  /** The report, where the app reveals it. */
  readonly intelligenceResponse?: Readonly<Record<string, unknown>>
}

/** `notConfigured`: asked before `initialize` has succeeded. Every other failure is `intelligenceError`, with what the service said. */
export class IntelligenceError extends Error {
  override readonly name = 'IntelligenceError'
  readonly code: 'notConfigured' | 'intelligenceError' | 'unknown'

  constructor(message: string) {
    super(message)
    this.code = codes[message] ?? 'intelligenceError'
  }
}

/** Messages of specification 7.4 that are fixed. */
const codes: Readonly<Record<string, IntelligenceError['code']>> = {
  'SDK not initialised': 'notConfigured',
  'Unknown intelligence error': 'unknown',
}

/** The Objective-C half, ios/RingfenceDeviceIntelligence.m; the callbacks' arguments are those of the SDK. */
export interface NativeDeviceIntelligence {
  setBaseURL(url: string): void
  isInitialized(callback: (isInitialized: boolean) => void): void
  initialize(appId: string, callback: (success: boolean) => void): void
  fetchIntelligence(
    params: object | null,
    updateInfo: object | null,
    callback: (
      success: boolean,
      dfrId: string | null,
      intelligenceResponse: Record<string, unknown> | null,
      errorMessage: string | null,
    ) => void,
  ): void
}

export interface DeviceIntelligence {
  /** False when the app is unknown, does not list this bundle id, or the service cannot be reached; it can then be called again. */
  initialize(appId: string, options?: { baseUrl?: string }): Promise<boolean>
  isInitialized(): Promise<boolean>
  /** Rejects with IntelligenceError, and nothing else. */
  fetchIntelligence(params?: Readonly<Record<string, unknown>>, updateInfo?: UpdateInfo): Promise<Intelligence>
}

/** `native` is undefined where there is no such module, as on Android: nothing is then initialised. */
export function deviceIntelligence(native: NativeDeviceIntelligence | undefined): DeviceIntelligence {
  return {
    async initialize(appId, { baseUrl } = {}) {
      if (!native) return false
      if (baseUrl !== undefined) native.setBaseURL(baseUrl)
      return new Promise((resolve) => native.initialize(appId, resolve))
    },
    async isInitialized() {
      return native ? new Promise((resolve) => native.isInitialized(resolve)) : false
    },
    fetchIntelligence(params, updateInfo) {
      return new Promise((resolve, reject) => {
        if (!native) throw new IntelligenceError('SDK not initialised')
        native.fetchIntelligence(bridged(params), bridged(updateInfo), (success, dfrId, report, message) => {
          if (success && dfrId) resolve({ dfrId, ...(report && { intelligenceResponse: report }) })
          else reject(new IntelligenceError(message ?? 'Unknown intelligence error'))
        })
      })
    },
  }
}

/** The bridge takes JSON alone: what JSON cannot hold is dropped here, as the SDK does. */
function bridged(value: object | undefined): object | null {
  if (value === undefined) return null
  const kept = Object.entries(value).flatMap(([name, part]) => {
    try {
      const text = JSON.stringify(part)
      return text === undefined ? [] : [[name, JSON.parse(text) as unknown]]
    } catch {
      return [] // it contains itself
    }
  })
  return Object.fromEntries(kept)
}
