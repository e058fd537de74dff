// Who asks, under which ids, and until when? What a handler knows of a call beside its body; it knows no HTTP.

import type { App, SdkSession } from './apps/app.ts'
import type { Caller } from './clients/credentials.ts'
import type { ConnectionFingerprint } from './ip/connection-fingerprint.ts'

/** What is known of every call, whoever asks. */
export interface AnyCall {
  readonly requestId: string
  /** CAMARA's x-correlator, passed on upstream. */
  readonly correlator: string
  /** Aborted when the answer is due. */
  readonly signal: AbortSignal
  /** What the answer rests on; filled by the work, told in headers of every answer, refusals included. */
  readonly provenance: Provenance
  /** Of the person, behind trusted proxies; undefined once the connection is gone. */
  readonly address: string | undefined
  /** How the person's connection looks to the trusted proxies; absent where none tells. */
  readonly connection?: ConnectionFingerprint | undefined
  /** What the HTTP client says of itself: names in lower case, none that bear credentials or addresses. */
  readonly headers: Readonly<Record<string, string>>
}

/** A call of a tenant's client, with its secret. */
export interface Call extends AnyCall {
  readonly caller: Caller
}

/** What a telecom check needs to know of its caller: a backend's call, or the gate of a sign-in. */
export interface CheckCall extends Pick<AnyCall, 'requestId' | 'correlator' | 'signal' | 'provenance'> {
  readonly caller: Pick<Caller, 'tenantId'>
}

/** A call of an app, by its public id: anyone can make it. */
export interface AppCall extends AnyCall {
  readonly app: App
  /** Where the page that asks was loaded from; undefined where no browser says it. */
  readonly origin: string | undefined
}

/** A call of an SDK session. */
export interface SessionCall extends AnyCall {
  readonly app: App
  readonly session: SdkSession
  /** The device token of the browser's cookie; one that is written here is sent back to be kept. */
  readonly deviceCookie: { token: string | undefined }
}

/** The call that a handler gets, by who may call. */
export interface CallOf {
  client: Call
  app: AppCall
  session: SessionCall
  anyone: AnyCall
}

export interface Provenance {
  /** Something of it is made up by the sandbox operator. */
  sandbox: boolean
  /** Seconds since the question was asked upstream, where the answer was reused. */
  ageSeconds?: number
}
