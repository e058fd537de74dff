// How does a person come back from a provider or a magic link? By redirect, or in a pop-up that tells the page that waits.

import { RingfenceError } from './error.ts'
import type { PendingSignIns } from './pending-sign-in.ts'
import type { SignInCalls, SignInRequest } from './sign-in.ts'
import type { SignedInUser } from './wire.ts'

export interface Returns {
  /** Starts a sign-in by OAUTH and leaves the page for the provider. */
  redirect(request: Omit<SignInRequest, 'channel'>): Promise<void>
  /** Signs in by OAUTH in a pop-up. To be called when the person clicks: browsers block pop-ups otherwise. */
  popup(request: Omit<SignInRequest, 'channel'>): Promise<SignedInUser>
  /**
   * To be called by the page that `redirectUrl` names. Answers the user that has come back; `undefined` when nobody has, or a pop-up
   * has told the page that waits for it.
   */
  completeReturn(): Promise<SignedInUser | undefined>
}

interface Arrival {
  readonly transactionId: string
  readonly code?: string | undefined
  readonly error?: string | undefined
}

const features = 'popup,width=480,height=720'
/** A page that waits answers at once. */
const receiptLimitMs = 500
/** So long after the person is back on the page, a closed pop-up has nothing more to tell. */
const closedLimitMs = 1_000

export function returns(appId: string, calls: SignInCalls, pending: PendingSignIns): Returns {
  const channelOf = (transactionId: string) => new BroadcastChannel(`ringfence.${appId}.${transactionId}`)
  const here = () => location.origin + location.pathname

  async function verify({ transactionId, code, error }: Arrival): Promise<SignedInUser> {
    if (error === undefined) return calls.verify({ transactionId, code: code as string })
    pending.forget(transactionId)
    throw new RingfenceError('refused', `The sign-in was not completed: ${error}`, { errorCode: error })
  }

  /** Tells the page that waits; false when none does. */
  function toldOpener(arrival: Arrival): Promise<boolean> {
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
    let look = () => {}
    return new Promise<Arrival>((resolve, reject) => {
      channel.onmessage = ({ data }: MessageEvent<Arrival>) => {
        channel.postMessage('received')
        resolve(data)
      }
      look = () => {
        if (!popup.closed) return
        timer = setTimeout(() => reject(new RingfenceError('popupClosed', 'The window was closed')), closedLimitMs)
      }
      // A provider may cut the tie between the windows; then `closed` is true at once, so it is looked at on return only.
      addEventListener('focus', look)
    }).finally(() => {
      removeEventListener('focus', look)
      clearTimeout(timer)
      channel.close()
    })
  }

  return {
    async redirect(request) {
      const { authorizationUrl } = await calls.start({ redirectUrl: here(), ...request, channel: 'OAUTH' })
      location.assign(authorizationUrl as string)
    },
    async popup(request) {
      const popup = open('about:blank', '_blank', features)
      if (!popup) throw new RingfenceError('popupBlocked', 'The browser blocked the window')
      try {
        const started = await calls.start({ redirectUrl: here(), ...request, channel: 'OAUTH' })
        pending.keep({ transactionId: started.transactionId, isInPopup: true })
        const arrived = arrivalFrom(popup, started.transactionId)
        popup.location.href = started.authorizationUrl as string
        return await verify(await arrived)
      } finally {
        popup.close()
      }
    },
    async completeReturn() {
      const address = new URL(location.href)
      const [id, code, error] = ['transaction', 'code', 'error'].map((name) => {
        const value = address.searchParams.get(`ringfence_${name}`) ?? undefined
        address.searchParams.delete(`ringfence_${name}`)
        return value
      })
      if (code === undefined && error === undefined) return undefined
      history.replaceState(history.state, '', address) // not for bookmarks, nor for a second try
      // Only what this browser began: else a stranger could sign the person in to an account of their own.
      const signIn = pending.of(id ?? '')
      if (!signIn) throw new RingfenceError('noSignIn', 'This sign-in was started in another browser')
      const arrival = { transactionId: signIn.transactionId, code, error }
      if (signIn.isInPopup && (await toldOpener(arrival))) {
        close()
        return undefined
      }
      return verify(arrival)
    },
  }
}
