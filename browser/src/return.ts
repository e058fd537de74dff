// How does a person return from an identity provider or a magic link? By redirect or pop-up.

import { RingfenceError } from './error.ts'
import type { PendingSignIns } from './pending-sign-in.ts'
import { known, type SignInRequest, type SignInSteps } from './sign-in.ts'
import type { SignedInUser } from './wire.ts'

export interface Returns {
  /** Starts an OAUTH sign-in and leaves the page for the identity provider. */
  redirect(request: Omit<SignInRequest, 'channel'>): Promise<void>
  /** Signs in with OAUTH in a pop-up. Call it in a click handler, or browsers block the pop-up. */
  popup(request: Omit<SignInRequest, 'channel'>): Promise<SignedInUser>
  /**
   * Call it on the page that `redirectUrl` names. Returns the user who has returned. Returns
   * `undefined` if nobody has, or if a pop-up has passed the result to its page.
   */
  completeReturn(): Promise<SignedInUser | undefined>
}

interface Arrival {
  readonly transactionId: string
  readonly code?: string | undefined
  readonly error?: string | undefined
}

const features = 'popup,width=480,height=720'
/**
 * An ASYNC fingerprint ends with the page. So short a wait saves a longer one on the page to which
 * the person returns, which would have to take it again.
 */
const leaveLimitMs = 300
/** A page that waits confirms at once. */
const receiptLimitMs = 500
/**
 * If no result arrives this long after the page has the focus again, a closed pop-up counts as
 * cancelled.
 */
const closedLimitMs = 1_000

export function returns(appId: string, calls: SignInSteps, pending: PendingSignIns): Returns {
  const channelOf = (transactionId: string) => new BroadcastChannel(`ringfence.${appId}.${transactionId}`)
  const here = () => location.origin + location.pathname

  async function verify({ transactionId, code, error }: Arrival): Promise<SignedInUser> {
    if (error === undefined) return calls.verify({ transactionId, code: code as string })
    pending.forget(transactionId)
    throw new RingfenceError('refused', `The sign-in was not completed: ${error}`, { errorCode: error })
  }

  /** Passes the result to the page that opened the pop-up; false if that page does not confirm. */
  function passToOpener(arrival: Arrival): Promise<boolean> {
    const channel = channelOf(arrival.transactionId)
    return new Promise<boolean>((resolve) => {
      channel.onmessage = () => resolve(true)
      setTimeout(() => resolve(false), receiptLimitMs)
      channel.postMessage(arrival)
    }).finally(() => channel.close())
  }

  function arrivalFrom(popup: Window, transactionId: string): Promise<Arrival> {
    const channel = channelOf(transactionId)
    let timer: ReturnType<typeof setTimeout> | undefined
    let checkClosed = () => {}
    return new Promise<Arrival>((resolve, reject) => {
      channel.onmessage = ({ data }: MessageEvent<Arrival>) => {
        channel.postMessage('received')
        resolve(data)
      }
      checkClosed = () => {
        if (!popup.closed) return
        const cancel = () =>
          reject(new RingfenceError('popupClosed', 'The pop-up was closed before the sign-in was complete'))
        timer = setTimeout(cancel, closedLimitMs)
      }
      // Checked on focus only: an identity provider can sever the link between the windows, which
      // makes `closed` true at once.
      addEventListener('focus', checkClosed)
    }).finally(() => {
      removeEventListener('focus', checkClosed)
      clearTimeout(timer)
      channel.close()
    })
  }

  return {
    async redirect(request) {
      const started = await calls.start({ redirectUrl: here(), ...request, channel: 'OAUTH' })
      const { transactionId, authorizationUrl } = started
      await calls.fingerprinted(transactionId, leaveLimitMs)
      location.assign(authorizationUrl as string)
    },
    async popup(request) {
      const popup = open('about:blank', '_blank', features)
      if (!popup)
        throw new RingfenceError('popupBlocked', 'The browser blocked the pop-up. Call popup in a click handler')
      try {
        const started = await calls.start({ redirectUrl: here(), ...request, channel: 'OAUTH' })
        pending.save({ transactionId: started.transactionId, isInPopup: true })
        const arrived = arrivalFrom(popup, started.transactionId)
        popup.location.href = started.authorizationUrl as string
        return await verify(await arrived)
      } finally {
        popup.close()
      }
    },
    async completeReturn() {
      const url = new URL(location.href)
      const [id, code, error] = ['transaction', 'code', 'error'].map((name) => {
        const value = url.searchParams.get(`ringfence_${name}`) ?? undefined
        url.searchParams.delete(`ringfence_${name}`)
        return value
      })
      if (code === undefined && error === undefined) return undefined
      history.replaceState(history.state, '', url) // keeps the code out of bookmarks, and from being used twice
      const signIn = known(pending, id ?? '')
      const arrival = { transactionId: signIn.transactionId, code, error }
      if (signIn.isInPopup && (await passToOpener(arrival))) {
        close()
        return undefined
      }
      return verify(arrival)
    },
  }
}
