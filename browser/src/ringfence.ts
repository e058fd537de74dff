// What does a page use? One object: initialise it, sign people in, and get a token for the backend.

import { deviceTokenStore } from './device-token.ts'
import { messageOf, notConfigured, RingfenceError } from './error.ts'
import { emitter, type Listener, type RingfenceEvents } from './events.ts'
import { type Fingerprinting, fingerprinting, type Intelligence, type UpdateInfo } from './fingerprint.ts'
import { http } from './http.ts'
import { installationKey } from './installation-key.ts'
import { pendingSignIns } from './pending-sign-in.ts'
import { installationId, persistentStorage } from './persistent-storage.ts'
import { withRetries } from './retries.ts'
import { type Returns, returns } from './return.ts'
import { sessions } from './session.ts'
import { type SignInCalls, type SignInParts, signInSteps } from './sign-in.ts'
import type { SignedInUser } from './wire.ts'

export interface RingfenceOptions {
  /**
   * URL of the service, `https://ringfence.example`. Default: the origin of the script for a script
   * tag, else of the page.
   */
  baseUrl?: string
  /** Facts set to `false` are not collected: `{ canvas: false }`. */
  collect?: Readonly<Record<string, boolean>>
  /** Milliseconds to wait for a response of the service. Default: 10,000. */
  requestLimitMs?: number
  /**
   * Milliseconds after which a fact is left out. Default: 1,000. The twelve facts that recognition
   * needs most get two and a half times as long.
   */
  factLimitMs?: number
  /**
   * Milliseconds that a sign-in waits for the fingerprint. Default: 10,000 with mode SYNC. With ASYNC
   * at most 5,000, in `verify` and `status`.
   */
  fingerprintLimitMs?: number
  /** Milliseconds that the network has to verify a phone (SILENT), until an OTP is sent. Default: 8,000. */
  silentLimitMs?: number
}

export interface Ringfence {
  /**
   * Opens a session for the app. Call it once, as early as possible. A second call for the same app
   * returns the first result, or tries again if the first call failed. Returns false if the app is
   * unknown or disabled, does not list this origin, or the service cannot be reached.
   */
  initialize(appId: string, options?: RingfenceOptions): Promise<boolean>
  readonly isInitialized: boolean
  readonly signIn: SignInCalls & Returns
  /** The user who has signed in on this page. */
  readonly user: SignedInUser | undefined
  /** The token for your backend, once a person has signed in. */
  getToken(): string | undefined
  /** A token for the secure-info endpoint, without a sign-in. */
  secure(): Promise<string>
  /** Analyses the device. Fails with `notConfigured` until `initialize` has succeeded. */
  fetchIntelligence(params?: Readonly<Record<string, unknown>>, updateInfo?: UpdateInfo): Promise<Intelligence>
  /** Returns a function that removes the listener. */
  on<Name extends keyof RingfenceEvents>(name: Name, listener: Listener<Name>): () => void
}

/** What the SDK takes from its environment. Tests replace it. */
export interface Surroundings {
  baseUrl?: string
  wait?(ms: number): Promise<void>
  log?(message: string): void
}

/** The parts of one app, created by `initialize`. */
interface App {
  readonly key: string
  readonly opened: Promise<boolean>
  readonly signIn: SignInCalls
  readonly returns: Returns
  readonly fingerprint: Fingerprinting
}

/** What the parts of an app need of the page's SDK. */
interface Page extends Pick<SignInParts, 'fingerprint' | 'started' | 'signedIn' | 'warn'> {
  readonly baseUrl: string | undefined
  wait(ms: number): Promise<void>
}

export function createRingfence(surroundings: Surroundings = {}): Ringfence {
  const { on, emit } = emitter()
  // biome-ignore lint/suspicious/noConsole: developers look for warnings in the console
  const log = surroundings.log ?? ((message: string) => console.warn(message))
  let app: App | undefined
  let isInitialized = false
  let user: SignedInUser | undefined

  async function fetchIntelligence(
    params: Readonly<Record<string, unknown>> = {},
    updateInfo?: UpdateInfo,
  ): Promise<Intelligence> {
    if (!app || !isInitialized) throw notConfigured()
    const intelligence = await app.fingerprint.fetch(params, updateInfo)
    emit('fingerprinted', intelligence)
    return intelligence
  }

  const page: Page = {
    baseUrl: surroundings.baseUrl,
    warn(message) {
      log(`Ringfence: ${message}`)
      emit('warning', { message })
    },
    wait: surroundings.wait ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms))),
    started: (transaction) => emit('signInStarted', transaction),
    signedIn(signedIn) {
      user = signedIn
      emit('signedIn', signedIn)
    },
    async fingerprint(params, updateInfo) {
      await app?.opened
      return fetchIntelligence(params, updateInfo)
    },
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
        app = assemble(appId, key, options, page)
      }
      const current = app
      const success = await current.opened
      if (current === app && !isInitialized) {
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
      redirect: async (request) => configured().returns.redirect(request),
      popup: async (request) => configured().returns.popup(request),
      completeReturn: async () => configured().returns.completeReturn(),
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

function assemble(appId: string, key: string, options: RingfenceOptions, page: Page): App {
  const { baseUrl = page.baseUrl ?? location.origin, collect = {} } = options
  const send = http(baseUrl.replace(/\/+$/, ''), options.requestLimitMs ?? 10_000)
  const open = sessions(send, appId, location.origin)
  const storage = persistentStorage()
  const pending = pendingSignIns(storage, appId)
  const signIn = signInSteps({
    ...page,
    send,
    sessions: open,
    pending,
    collect,
    fingerprintLimitMs: options.fingerprintLimitMs ?? 10_000,
    silentLimitMs: options.silentLimitMs ?? 8_000,
  })
  return {
    key,
    opened: withRetries(open.current, page.wait).then(
      () => true,
      (error: unknown) => {
        // When no app lists the origin, the browser hides the refusal from the page: it looks
        // like a failed connection.
        const isHidden = error instanceof RingfenceError && error.code === 'network'
        page.warn(
          `not initialised: ${messageOf(error)}${isHidden ? `, or the app does not list the origin ${location.origin}` : ''}`,
        )
        return false
      },
    ),
    signIn,
    returns: returns(appId, signIn, pending),
    fingerprint: fingerprinting({
      send,
      sessions: open,
      appId,
      inId: installationId(storage),
      deviceToken: deviceTokenStore(storage, appId),
      installationKey: installationKey(storage, appId),
      collect,
      factLimitMs: options.factLimitMs ?? 1_000,
      wait: page.wait,
    }),
  }
}
