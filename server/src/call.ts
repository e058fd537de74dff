// What does a handler know about a call, besides its body? Caller, ids, deadline and IP address, but no HTTP.

import type { Consent } from '@ringfence/contract'
import type { Actor } from './admin/actor.ts'
import type { App, SdkSession } from './apps/app.ts'
import type { SignedRequest } from './bots/http-signature.ts'
import type { Scope } from './camara-front/scope.ts'
import type { Caller } from './clients/credentials.ts'
import type { ConnectionFingerprint } from './ip/connection-fingerprint.ts'
import type { StoredAnswers } from './storage/telecom-answers.ts'
import type { TraceHeaders } from './telemetry/trace-headers.ts'

/** What is known about every call. */
export interface AnyCall {
  readonly requestId: string
  /** CAMARA's x-correlator, sent to operators. */
  readonly correlator: string
  /** The trace of this call, sent to operators. */
  readonly trace?: TraceHeaders | undefined
  /** Aborts when the response is due. */
  readonly signal: AbortSignal
  /** How old a reused answer may be, in seconds, as the caller says; 0: it wants a new one. Absent: as the configuration says. */
  readonly maxAgeSeconds?: number | undefined
  /** What the answer is based on. The handler fills it; every response reports it in its headers, refusals included. */
  readonly provenance: Provenance
  /** IP address of the person, behind trusted proxies; undefined once the connection is closed. */
  readonly address: string | undefined
  /** TCP and TLS fingerprint of the person's connection; absent if no trusted proxy sends it. */
  readonly connection?: ConnectionFingerprint | undefined
  /** The request, if its client signed it (RFC 9421). */
  readonly signed?: SignedRequest | undefined
  /** Headers that describe the device; names in lower case, no credentials and no IP addresses. */
  readonly headers: Readonly<Record<string, string>>
  /** The bearer token of the header Authorization, not verified. */
  readonly bearerToken?: string | undefined
  /** What was sent as lines, as it arrives; only of endpoints that take lines. */
  readonly lines?: SentLines | undefined
  /** Of the header Accept. */
  readonly accepts?: string | undefined
  /** Of the header Idempotency-Key: a request that is repeated with it has the same answer. Refuses a malformed one. */
  readonly idempotencyKey?: string | undefined
}

/** A body of lines. */
export interface SentLines {
  /** Its media type, in lower case and without parameters. */
  readonly type: string
  readonly bytes: AsyncIterable<Uint8Array>
}

/** A call of a client, which has a secret. */
export interface Call extends AnyCall {
  readonly caller: Caller
}

/** What a telecom check needs to know of its caller: a backend's call, or the gate of a sign-in. */
export interface CheckCall
  extends Pick<AnyCall, 'requestId' | 'correlator' | 'trace' | 'signal' | 'maxAgeSeconds' | 'provenance'> {
  readonly caller: Pick<Caller, 'tenantId'> & Partial<Pick<Caller, 'clientId'>>
  /** Awaited before each request to an upstream, which is not sent if it throws. A batch notes which numbers it asks about. */
  readonly beforeRequest?: (() => Promise<void>) | undefined
  /** Stored answers about the number that were read already, with those about others. */
  readonly stored?: StoredAnswers | undefined
  /** A person ordered it: its event is recorded also while nobody wants such events. */
  readonly isByHand?: boolean
  /** What for, and on which legal basis, as the caller states it. */
  readonly consent?: Consent | undefined
}

/** A call of a client with an access token of our CAMARA API. */
export interface TokenCall extends Call {
  readonly granted: Scope
  /** What the token knows of a phone that was verified; absent for a token of the client alone. */
  readonly phone?: string | undefined
}

/** A call of an app. The app id is public, so anyone can make it. */
export interface AppCall extends AnyCall {
  readonly app: App
  /** Origin of the page that calls; undefined if the caller is not a browser. */
  readonly origin: string | undefined
}

/** A call of an SDK session. */
export interface SessionCall extends AnyCall {
  readonly app: App
  readonly session: SdkSession
  /** The device token of the browser's cookie. A handler that sets another one sends it back. */
  readonly deviceCookie: { token: string | undefined }
  /** What the browser's cookie says of its previous sign-ins. A sign-in sets `marks`, which are sent back. */
  readonly signedInBefore: { readonly sent: string | undefined; marks?: string }
}

/** What a call of the admin API sets on its response. */
export interface AdminResponse {
  /** The answer has a secret that is shown once, or personal data in clear: it is not stored for repetitions. */
  hasSecret?: true
  /** The token of a new session; null ends the present one. */
  sessionToken?: string | null
  /** Shows later that a person signed in in this browser before. */
  browserToken?: string
  /** Of a browser that begins a sign-in with a passkey; null when it has ended. */
  passkeyToken?: string | null
  /** A single sign-on that this browser has begun, sealed; null: it is done. */
  ssoToken?: string | null
  /** Version of the record in the answer; see `admin/versions.ts`. */
  version?: string
  /** Whether the handler has compared the version that the caller has seen. */
  isVersionCompared?: boolean
}

/** A call of the admin API by somebody who may not be signed in. */
export interface AdminCall extends AnyCall {
  readonly response: AdminResponse
  /** What an earlier sign-in left in this browser; it admits nobody. */
  readonly browserToken?: string | undefined
  /** What the beginning of a sign-in with a passkey left in this browser; it admits nobody. */
  readonly passkeyToken?: string | undefined
  /** A single sign-on that this browser has begun, sealed. */
  readonly ssoToken?: string | undefined
  /** Of the session that the browser has; only at endpoints for anyone, and not verified. */
  readonly sessionToken?: string | undefined
}

/** A call of the admin API by a person or a client that has the permission of the endpoint. */
export interface ActorCall extends AdminCall {
  readonly actor: Actor
  /** Of the header If-Match: the versions that the caller has seen, or `*` for any; see `admin/versions.ts`. */
  readonly ifMatch?: readonly string[] | '*' | undefined
}

/** The call that a handler gets, by its caller. */
export interface CallOf {
  client: Call
  app: AppCall
  session: SessionCall
  admin: AdminCall
  token: TokenCall
  anyone: AnyCall
}

export interface Provenance {
  /** A part of it comes from the sandbox operator. */
  sandbox: boolean
  /** Seconds since the operator was queried, if the result was reused. */
  ageSeconds?: number
}
