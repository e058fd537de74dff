// What does @ringfence/browser export?

export { RingfenceError, type RingfenceErrorCode, type RingfenceErrorDetails } from './error.ts'
export type { Listener, RingfenceEvents } from './events.ts'
export type { Intelligence, UpdateInfo } from './fingerprint.ts'
export type { Returns } from './return.ts'
export { createRingfence, type Ringfence, type RingfenceOptions, type Surroundings } from './ringfence.ts'
export type { SignInCalls, SignInRequest, StartedSignIn, Verification } from './sign-in.ts'
export type * from './wire.ts'
