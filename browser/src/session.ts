// Which session do the SDK's calls use? One session, renewed when the service no longer accepts it.

import { RingfenceError } from './error.ts'
import type { Send } from './http.ts'
import type { SdkConfig } from './wire.ts'

export interface Session {
  readonly id: string
  /** Headers of each call in this session. */
  readonly headers: Readonly<Record<string, string>>
  /** Facts set to `false` in the app's settings. */
  readonly collect: Readonly<Record<string, boolean>>
  /** For the next engine call. The service accepts it once. */
  challenge: string
}

export interface Sessions {
  /** The current session. Opens one if there is none. */
  current(): Promise<Session>
  /**
   * Runs work that needs a session. If the service responds with 401, runs it once more in a new
   * session.
   */
  run<Value>(work: (session: Session) => Promise<Value>): Promise<Value>
}

/** Sessions of one app on this page. */
export function sessions(send: Send, appId: string, packageName: string): Sessions {
  let session: Promise<Session> | undefined

  async function open(): Promise<Session> {
    const query = new URLSearchParams({ packageName, platform: 'WEB' })
    const { body } = await send<SdkConfig>(`/sdk/v1/device-fingerprint/config?${query}`, { appId })
    return {
      id: body.sessionId,
      headers: { appId, authorization: `Bearer ${body.sessionToken}` },
      collect: body.collect ?? {},
      challenge: body.challenge,
    }
  }

  /**
   * Concurrent callers share one session. A session that could not be opened is dropped, so the
   * next call tries again.
   */
  function current(): Promise<Session> {
    if (session) return session
    const opening = open()
    session = opening
    opening.catch(() => {
      if (session === opening) session = undefined
    })
    return opening
  }

  return {
    current,
    async run(work) {
      const used = current()
      try {
        return await work(await used)
      } catch (error) {
        if (!(error instanceof RingfenceError && error.status === 401)) throw error
      }
      if (session === used) session = undefined // another call may have renewed it already
      return work(await current())
    },
  }
}
