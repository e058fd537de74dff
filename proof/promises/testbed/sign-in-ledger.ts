// Are acknowledged sign-ins still correct? Those that were completed, those that wait for their code, and the users they belong to.

import { endpoints } from '@ringfence/contract'
import { codeChallenge, codeVerifier } from '../../../server/src/sign-in/authentication/testing/sign-in-service.ts'
import { type SdkClient, sdkClientOf, shopReturnUrls } from '../../../server/src/testing/sdk-client.ts'
import { eachOf, type Judge } from '../promise.ts'
import type { AppCallers } from './device-ledger.ts'
import { post, postJson } from './ledger.ts'
import type { MessageGateway } from './message-gateway.ts'
import { ordinaryNumber } from './operator.ts'

/** A sign-in, and which of its steps were answered so far. */
interface SignIn {
  client: SdkClient
  readonly identity: { readonly type: 'MOBILE' | 'EMAIL'; readonly value: string }
  /** A start was sent whose answer may have been lost. */
  wasStarted?: boolean
  transactionId?: string
  /** The OTP that was delivered, or the code that the link led back with. */
  proof?: { otp: string } | { code: string; codeVerifier: string }
  link?: URL
  /** A proof was sent whose answer may have been lost, so it may be used up. */
  mayBeUsed?: boolean
  /** It can no longer be completed, since an answer that carried its code or its token was lost. */
  isOver?: boolean
  user?: { readonly userId: string; readonly token: string }
}

interface Stopped {
  readonly step: 'start' | 'link' | 'verify'
  readonly status: number
  readonly text: string
}

/** Every second sign-in uses a magic link, the others an OTP. */
const identityOf = (n: number): SignIn['identity'] =>
  n % 2 === 0
    ? { type: 'MOBILE', value: ordinaryNumber(n >> 1) }
    : { type: 'EMAIL', value: `person-${n >> 1}@shop.example` }

const errorCodeOf = (text: string) => (JSON.parse(text) as { errorCode?: string }).errorCode
const signInOver = '7117'
/** How many earlier identities sign in again at the end. */
const signInsAgain = 6

export class SignInLedger {
  readonly #callers: AppCallers
  readonly #gateway: MessageGateway
  readonly #signIns: SignIn[] = []
  #compared = 0
  #begun = 0

  constructor(callers: AppCallers, gateway: MessageGateway) {
    this.#callers = callers
    this.#gateway = gateway
  }

  get completed(): number {
    return this.#signIns.filter(({ user }) => user !== undefined).length
  }

  /** A whole sign-in. Throws as `fetch` does when the service is gone. */
  async session(url: string, complaints: Judge): Promise<void> {
    const stopped = await this.#goOn(url, await this.#begin(url), complaints)
    complaints.unless(stopped === undefined, () => `a sign-in is not answered: ${JSON.stringify(stopped)}`)
  }

  /** Whether the service answers a whole sign-in; a 503 means not now. */
  async tried(url: string, complaints: Judge): Promise<boolean> {
    const began = await this.#begin(url).catch((error: Error) => error.message)
    if (typeof began === 'string') {
      complaints.unless(began.startsWith('config is answered 503'), () => began)
      return false
    }
    const stopped = await this.#goOn(url, began, complaints)
    complaints.unless(stopped === undefined || stopped.status === 503, () => JSON.stringify(stopped))
    return stopped === undefined
  }

  /** The first completed sign-in can be read. */
  async serves(url: string, complaints: Judge, what: string): Promise<void> {
    const first = this.#signIns.find(({ user }) => user !== undefined)
    if (!first) return complaints.unless(false, () => `${what}: no sign-in was completed before`)
    const body = { transactionId: first.transactionId }
    const { status, text } = await sendTo(url, first, endpoints.signInStatus.path, body)
    const holds = status === 200 && (JSON.parse(text) as { status: string }).status === 'SUCCESS'
    complaints.unless(holds, () => `${what}: the status of a sign-in is answered ${status} ${text}`)
  }

  /**
   * Finishes each new sign-in from where it was cut off, and complains when something differs from what was acknowledged: its token
   * identifies the user, its proof works once, its link opens once. `all`: some of the people sign in again, as the same users.
   */
  async compare(url: string, complaints: Judge, { all = false } = {}): Promise<void> {
    const fresh = this.#signIns.slice(this.#compared)
    this.#compared = this.#signIns.length
    await eachOf(fresh, 8, async (signIn) => {
      const stopped = await this.#goOn(url, signIn, complaints)
      complaints.unless(stopped === undefined, () => `a sign-in that was cut off: ${JSON.stringify(stopped)}`)
      if (signIn.user) await this.#compareCompleted(url, signIn, complaints)
    })
    const completed = this.#signIns.filter(({ user }) => user !== undefined)
    for (const { identity, user } of all ? completed.slice(0, signInsAgain) : []) {
      const again: SignIn = { client: await sdkClientOf(this.#callers.app, { url }), identity }
      const stopped = await this.#goOn(url, again, complaints)
      const userId = again.user?.userId
      const seen = () => stopped ?? { userId, link: again.isOver && 'used' }
      const holds = userId === user!.userId
      complaints.unless(holds, () => `a person signs in again, not as ${user!.userId}: ${JSON.stringify(seen())}`)
    }
  }

  async #compareCompleted(url: string, signIn: SignIn, complaints: Judge): Promise<void> {
    const { transactionId, proof, user, link } = signIn
    const { status, text } = await post(url, endpoints.validateToken.path, this.#callers.backend, {
      token: user!.token,
    })
    const userId = status === 200 ? (JSON.parse(text) as { userId: string }).userId : undefined
    complaints.unless(userId === user!.userId, () => `the token of a sign-in is answered ${status} ${text}`)
    const again = await sendTo(url, signIn, endpoints.signInVerify.path, { transactionId, ...proof })
    const isOver = again.status === 400 && errorCodeOf(again.text) === signInOver
    complaints.unless(isOver, () => `a used proof is answered ${again.status} ${again.text}`)
    if (link === undefined) return
    const pressed = await press(url, link)
    complaints.unless(pressed.status === 400, () => `a used link is answered ${pressed.status}`)
  }

  async #begin(url: string): Promise<SignIn> {
    const identity = identityOf(this.#begun++)
    const signIn: SignIn = { client: await sdkClientOf(this.#callers.app, { url }), identity }
    this.#signIns.push(signIn)
    return signIn
  }

  /** Start, message, link and verify. Returns the first step that was refused; undefined when there is nothing left to do. */
  async #goOn(url: string, signIn: SignIn, complaints: Judge): Promise<Stopped | undefined> {
    if (signIn.user || signIn.isOver) return undefined
    if (signIn.transactionId === undefined) {
      const stopped = await this.#start(url, signIn, complaints)
      if (stopped) return stopped
    }
    if (signIn.link && !signIn.proof) {
      const stopped = await this.#openLink(url, signIn)
      if (stopped) return stopped
      if (!signIn.proof) return undefined
    }
    const body = { transactionId: signIn.transactionId, ...signIn.proof }
    const mayBeUsed = signIn.mayBeUsed === true
    signIn.mayBeUsed = true
    const { status, text } = await sendTo(url, signIn, endpoints.signInVerify.path, body)
    if (status === 200) {
      const { userId, token } = JSON.parse(text) as { userId: string; token: string }
      signIn.user = { userId, token }
      return undefined
    }
    if (mayBeUsed && status === 400 && errorCodeOf(text) === signInOver) {
      signIn.isOver = true
      return undefined
    }
    return { step: 'verify', status, text }
  }

  /** A start without an answer is sent again in another session, as a page does that was reloaded. */
  async #start(url: string, signIn: SignIn, complaints: Judge): Promise<Stopped | undefined> {
    const { type, value } = signIn.identity
    const request =
      type === 'MOBILE' ? { channel: 'OTP' } : { channel: 'MAGIC_LINK', redirectUrl: shopReturnUrls[0], codeChallenge }
    if (signIn.wasStarted) signIn.client = await sdkClientOf(this.#callers.app, { url })
    signIn.wasStarted = true
    const body = { ...request, identity: signIn.identity }
    const { status, text } = await sendTo(url, signIn, endpoints.signInStart.path, body)
    if (status !== 200) return { step: 'start', status, text }
    signIn.transactionId = (JSON.parse(text) as { transactionId: string }).transactionId
    // The start is answered when the gateway has accepted the message.
    const link = this.#gateway.linkFor(value)
    const otp = this.#gateway.otpFor(value)
    complaints.unless((link ?? otp) !== undefined, () => `a sign-in was started without a message to ${value}`)
    if (link) signIn.link = link
    else signIn.proof = { otp: otp ?? '' }
    return undefined
  }

  async #openLink(url: string, signIn: SignIn): Promise<Stopped | undefined> {
    const mayBeUsed = signIn.mayBeUsed === true
    signIn.mayBeUsed = true
    const { status, location, text } = await press(url, signIn.link!)
    if (status === 303 && location !== null) {
      signIn.proof = { code: new URL(location).searchParams.get('ringfence_code') ?? '', codeVerifier }
      signIn.mayBeUsed = false
      return undefined
    }
    if (mayBeUsed && status === 400) {
      signIn.isOver = true
      return undefined
    }
    return { step: 'link', status, text }
  }
}

const sendTo = (url: string, { client }: Pick<SignIn, 'client'>, path: string, body: object) =>
  postJson(url + path, client.headers, body)

/** The button of the page of a magic link, wherever the service listens now. */
async function press(url: string, { pathname, searchParams }: URL) {
  const response = await fetch(url + pathname, { method: 'POST', body: searchParams, redirect: 'manual' })
  return { status: response.status, location: response.headers.get('location'), text: await response.text() }
}
