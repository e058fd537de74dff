import { NativeModules } from 'react-native'
import { deviceIntelligence, type NativeDeviceIntelligence } from './device-intelligence.ts'

export * from './device-intelligence.ts'

/** Device intelligence of this app. */
export const DeviceIntelligenceSDK = deviceIntelligence(
  NativeModules.RingfenceDeviceIntelligence as NativeDeviceIntelligence | undefined,
)
