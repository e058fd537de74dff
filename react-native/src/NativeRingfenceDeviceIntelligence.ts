// What does the native module have? React Native's codegen reads this file, whose name it prescribes, and writes the interfaces of both systems.

import { type TurboModule, TurboModuleRegistry } from 'react-native'

/** Callbacks have the arguments of the SDK. */
export interface Spec extends TurboModule {
  setBaseURL(url: string): void
  isInitialized(callback: (isInitialized: boolean) => void): void
  initialize(appId: string, callback: (success: boolean) => void): void
  fetchIntelligence(
    params: { [name: string]: unknown } | null,
    updateInfo: { [name: string]: unknown } | null,
    callback: (
      success: boolean,
      dfrId: string | null,
      intelligenceResponse: { [name: string]: unknown } | null,
      errorMessage: string | null,
    ) => void,
  ): void
  initializeSignIn(appId: string, callback: (success: boolean) => void): void
  startSignIn(
    request: { [name: string]: unknown },
    callback: (transaction: { [name: string]: unknown } | null, failure: { [name: string]: unknown } | null) => void,
  ): void
  resendSignIn(
    transactionId: string | null,
    callback: (transaction: { [name: string]: unknown } | null, failure: { [name: string]: unknown } | null) => void,
  ): void
  verifySignIn(
    otp: string | null,
    code: string | null,
    transactionId: string | null,
    callback: (user: { [name: string]: unknown } | null, failure: { [name: string]: unknown } | null) => void,
  ): void
  signInStatus(
    transactionId: string | null,
    callback: (status: { [name: string]: unknown } | null, failure: { [name: string]: unknown } | null) => void,
  ): void
  openNumberVerification(
    url: string,
    callback: (returned: { [name: string]: unknown } | null, failure: { [name: string]: unknown } | null) => void,
  ): void
}

/** The TurboModule, or the module of the bridge where an app still has it. Null on other platforms. */
export default TurboModuleRegistry.get<Spec>('RingfenceDeviceIntelligence')
