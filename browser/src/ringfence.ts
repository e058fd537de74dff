// What does a page hold? One object: it is initialised with an app id, signs people in, and tells the token for the backend.

import { keptDeviceToken } from './device-token.ts'
import { messageOf, notConfigured, RingfenceError } from './error.ts'
import { emitter, type Listener, type RingfenceEvents } from './events.ts'
import { type Fingerprinting, fingerprinting, type Intelligence, type UpdateInfo } from './fingerprint.ts'
import { http } from './http.ts'
import { pendingSignIns } from './pending-sign-in.ts'
import { installationId, keptInStorage } from './persistent-storage.ts'
import { withRetries } from './retries.ts'
import { type Returns, returns } from './return.ts'
import { sessions } from './session.ts'
import { type SignInCalls, signInCalls } from './sign-in.ts'
import type { SignedInUser } from './wire.ts'

export interface RingfenceOptions {
  /** Where the service is, `https://ringfence.example`; for a script tag it is where the script came from. */
  baseUrl?: string
  /** Facts by name that are not to be collected: `{ canvas: false }`. */
  collect?: Readonly<Record<string, boolean>>
  /** Milliseconds within which the service has to answer a call; 10,000 by default. */
  requestLimitMs?: number
  /** Milliseconds after which a fact is left out; 1,000 by default. */
  factLimitMs?: number
  /** Milliseconds that a sign-in in mode SYNC waits for the fingerprint; 10,000 by default. */
  fingerprintLimitMs?: number
}

export interface Ringfence {
  /**
   * Opens a session for the app; early, and once: a second call for the same app answers as the first did, unless that failed. False when
   * the app is unknown or disabled, this origin is not one of its own, or the service cannot be reached.
   */
  initialize(appId: string, options?: RingfenceOptions): Promise<boolean>
  readonly isInitialized: boolean
  readonly signIn: SignInCalls & Returns
  /** Who has signed in on this page. */
  readonly user: SignedInUser | undefined
  /** The token for the backend, once somebody has signed in. */
  getToken(): string | undefined
  /** A token for the secure-info endpoint without a login. */
  secure(): Promise<string>
  /** Analyses the device. Fails with `notConfigured` before `initialize` has succeeded. */
  fetchIntelligence(params?: Readonly<Record<string, unknown>>, updateInfo?: UpdateInfo): Promise<Intelligence>
  /** Answers a function that ends the listening. */
  on<Name extends keyof RingfenceEvents>(name: Name, listener: Listener<Name>): () => void
}

/** What the SDK has of the page, beside the page itself; tests put their own here. */
export interface Surroundings {
  baseUrl?: string
  wait?(ms: number): Promise<void>
  log?(message: string): void
}

/** What is there for one app, once `initialize` was called. */
interface App {
  readonly key: string
  readonly opened: Promise<boolean>
  readonly signIn: SignInCalls & Returns
  readonly fingerprint: Fingerprinting
}

const plainFactLimitMs = 100

export function createRingfence(surroundings: Surroundings = {}): Ringfence {
  const { on, emit } = emitter()
  const wait = surroundings.wait ?? ((ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)))
  // biome-ignore lint/suspicious/noConsole: where a developer looks for it
  const log = surroundings.log ?? ((message: string) => console.warn(message))
  let app: App | undefined
  let isInitialized = false
  let user: SignedInUser | undefined

  function warn(message: string): void {
    log(`Ringfence: ${message}`)
    emit('warning', { message })
  }

  async function fetchIntelligence(
    params: Readonly<Record<string, unknown>> = {},
    updateInfo?: UpdateInfo,
  ): Promise<Intelligence> {
    if (!app || !isInitialized) throw notConfigured()
    const intelligence = await app.fingerprint.fetch(params, updateInfo)
    emit('fingerprinted', intelligence)
    return intelligence
  }

  function assemble(appId: string, key: string, options: RingfenceOptions): App {
    const { baseUrl = surroundings.baseUrl ?? location.origin, collect = {} } = options
    const ask = http(baseUrl.replace(/\/+$/, ''), options.requestLimitMs ?? 10_000)
    const open = sessions(ask, appId, location.origin)
    const kept = keptInStorage()
    const pending = pendingSignIns(kept, appId)
    const calls = signInCalls({
      ask,
      sessions: open,
      pending,
      collect,
      async fingerprint(params, updateInfo) {
        await app?.opened
        return fetchIntelligence(params, updateInfo)
      },
      fingerprintLimitMs: options.fingerprintLimitMs ?? 10_000,
      plainFactLimitMs,
      started: (transaction) => emit('signInStarted', transaction),
      signedIn(signedIn) {
        user = signedIn
        emit('signedIn', signedIn)
      },
      warn,
    })
    return {
      key,
      opened: withRetries(open.current, wait).then(
        () => true,
        (error: unknown) => {
          // A browser lets no page read the refusal of an origin that no app lists: to the SDK it looks like no answer.
          const unread = error instanceof RingfenceError && error.code === 'network'
          warn(`not initialised: ${messageOf(error)}${unread ? `, or no app lists the origin ${location.origin}` : ''}`)
          return false
        },
      ),
      signIn: { ...calls, ...returns(appId, calls, pending) },
      fingerprint: fingerprinting({
        ask,
        sessions: open,
        appId,
        inId: installationId(kept),
        deviceToken: keptDeviceToken(kept, appId),
        collect,
        factLimitMs: options.factLimitMs ?? 1_000,
        wait,
      }),
    }
  }

  function configured(): App {
    if (!app) throw notConfigured()
    return app
  }

  return {
    async initialize(appId, options = {}) {
      const key = JSON.stringify([appId, options])
      if (app?.key !== key || (!isInitialized && !(await app.opened))) {
        isInitialized = false
        app = assemble(appId, key, options)
      }
      const mine = app
      const success = await mine.opened
      if (mine === app && !isInitialized) {
        isInitialized = success
        emit('initialized', { success })
      }
      return success
    },
    get isInitialized() {
      return isInitialized
    },
    signIn: {
      start: async (request) => configured().signIn.start(request),
      resend: async (transactionId) => configured().signIn.resend(transactionId),
      verify: async (verification) => configured().signIn.verify(verification),
      status: async (transactionId) => configured().signIn.status(transactionId),
      redirect: async (request) => configured().signIn.redirect(request),
      popup: async (request) => configured().signIn.popup(request),
      completeReturn: async () => configured().signIn.completeReturn(),
    },
    get user() {
      return user
    },
    getToken: () => user?.token,
    secure: async () => {
      if (!isInitialized) throw notConfigured()
      return configured().fingerprint.secure()
    },
    fetchIntelligence,
    on,
  }
}
