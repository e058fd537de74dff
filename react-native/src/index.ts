import { deviceIntelligence } from './device-intelligence.ts'
import { headlessAuthentication } from './headless-authentication.ts'
import native from './NativeRingfenceDeviceIntelligence.ts'

export * from './device-intelligence.ts'
export * from './headless-authentication.ts'

/** Device intelligence of this app. */
export const DeviceIntelligenceSDK = deviceIntelligence(native)

/** Sign-in of this app. */
export const HeadlessAuthenticationSDK = headlessAuthentication(native)
