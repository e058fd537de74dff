// What does a handler know about a call, besides its body? Ids, deadline and IP address, but no HTTP; who calls is in call.ts of clients, apps …

import type { Missing } from '@ringfence/contract'

/** What is known about every call. */
export interface AnyCall {
  readonly requestId: string
  /** CAMARA's x-correlator, sent to operators. */
  readonly correlator: string
  /** The trace of this call, sent to operators. */
  readonly trace?: TraceHeaders | undefined
  /** Aborts when the response is due. */
  readonly signal: AbortSignal
  /** How long the caller's header lets it wait for others, in milliseconds. Absent: the handler's default. */
  readonly waitMs?: number | undefined
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

export interface Provenance {
  /** A part of it comes from the sandbox operator. */
  sandbox: boolean
  /** Seconds since the operator was queried, if the result was reused. */
  ageSeconds?: number
  /** What was decided, for the line of the request. */
  decision?: { readonly id: string; readonly action: string; readonly missing: readonly Missing[] }
}

/** How the TCP stack of the client opens a connection. */
export interface TcpFingerprint {
  /** Initial time to live: the next of 32, 64, 128, 255 above the received value. */
  readonly initialTtl: number
  /** Kinds of the SYN options in order (RFC 9293 3.1), without those that end the list. */
  readonly options: readonly number[]
}

export interface ConnectionFingerprint {
  readonly tcp?: TcpFingerprint
  /** JA4 of the TLS ClientHello. */
  readonly ja4?: string
}

/** What a signature covers: a request as its sender wrote it. */
export interface SignedRequest {
  readonly method: string
  /** The public URL of the request, with its query. */
  readonly targetUri: string
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>
}

/** `traceparent`, and `tracestate` beside it; empty without a trace. Every call to an operator carries them. */
export type TraceHeaders = Readonly<{ traceparent?: string; tracestate?: string }>

/** The call that a handler gets, by its caller. Each room adds those that it admits. */
export interface CallOf {
  anyone: AnyCall
}

/** Limits wrong credentials and app ids; see http/credentials/admission.ts. */
export interface GuessLimit {
  /** The network of the caller, whose guesses are counted together. */
  network(): string
  /** Refuses before a secret or id is looked up that was not right before. */
  refuseIfSpent(): void
  countWrong(): Promise<void>
}
