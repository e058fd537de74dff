// What does a React Native app call? The operations of the SDKs of iOS and Android, with promises.

import { bridged } from './bridged.ts'
import type { Spec } from './NativeRingfenceDeviceIntelligence.ts'

/** What your app knows about the person and the event. All fields are optional (specification 2.7). */
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
  /** Send it to your backend, which gets the report with it. */
  readonly dfrId: string
  /** `dfrId`, `requestId`, and the report, if the setting `revealReport` of the app is on. */
  readonly intelligenceResponse?: Readonly<Record<string, unknown>>
}

/** `notConfigured`: `initialize` has not succeeded yet. Other failures are `intelligenceError`, with the service's message. */
export class IntelligenceError extends Error {
  override readonly name = 'IntelligenceError'
  readonly code: 'notConfigured' | 'intelligenceError' | 'unknown'

  constructor(message: string) {
    super(message)
    this.code = codes[message] ?? 'intelligenceError'
  }
}

/** Fixed messages (specification 7.4). */
const codes: Readonly<Record<string, IntelligenceError['code']>> = {
  'SDK not initialised': 'notConfigured',
  'Unknown intelligence error': 'unknown',
}

export interface DeviceIntelligence {
  /** Returns false when the app is unknown or does not list this bundle id or package, or the service is unreachable. Call it again then. */
  initialize(appId: string, options?: { baseUrl?: string }): Promise<boolean>
  isInitialized(): Promise<boolean>
  /** Only rejects with IntelligenceError. */
  fetchIntelligence(params?: Readonly<Record<string, unknown>>, updateInfo?: UpdateInfo): Promise<Intelligence>
}

/** `native` is null on platforms without the module, such as the web: `initialize` then returns false. */
export function deviceIntelligence(native: Spec | null): DeviceIntelligence {
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
        native.fetchIntelligence(
          params ? bridged(params) : null,
          updateInfo ? bridged(updateInfo) : null,
          (success, dfrId, report, message) => {
            if (success && dfrId) resolve({ dfrId, ...(report && { intelligenceResponse: report }) })
            else reject(new IntelligenceError(message ?? 'Unknown intelligence error'))
          },
        )
      })
    },
  }
}
