// What does @ringfence/testing export?

export type { Clock, Duration } from './clock.ts'
export { ServiceNotFound } from './find-program.ts'
export { type Inbox, type Message, NothingSent, type WaitOptions } from './inbox.ts'
export type { FaultOptions, ForwardingKind, Line, Operator } from './operator.ts'
export { CallRefused } from './send.ts'
export { type Addresses, NotStarted } from './service-process.ts'
export { type StartOptions, start, type TenantOptions, type TestService } from './start.ts'
export type { PageOptions, PhoneOptions, Tenant, TenantVariable } from './tenant.ts'
export type { Circumstance } from './visitors/devices.ts'
export type {
  AndroidAttestation,
  Report,
  ReportInput,
  SignedIn,
  SignInOptions,
  StartedSignIn,
  Visitor,
} from './visits.ts'
export {
  type AddedWebhook,
  type DeliveredEvent,
  NothingDelivered,
  type Receiver,
  type WebhookOptions,
} from './webhooks.ts'
