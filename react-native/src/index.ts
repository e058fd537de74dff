import { deviceIntelligence } from './device-intelligence.ts'
import native from './NativeRingfenceDeviceIntelligence.ts'

export * from './device-intelligence.ts'

/** Device intelligence of this app. */
export const DeviceIntelligenceSDK = deviceIntelligence(native)
