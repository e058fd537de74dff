// In which session does the SDK call? It is opened once, and renewed when the service no longer knows it.

import { RingfenceError } from './error.ts'
import type { Ask } from './http.ts'
import type { SdkConfig } from './wire.ts'

export interface Session {
  readonly id: string
  /** Headers of its calls. */
  readonly headers: Readonly<Record<string, string>>
  /** Facts that the service does not want. */
  readonly collect: Readonly<Record<string, boolean>>
  /** For the next engine call; it is accepted once. */
  challenge: string
}

export interface Sessions {
  /** The session in use; opened when there is none. */
  current(): Promise<Session>
  /** Does what needs a session; once more in a new one when the service refuses the session with 401. */
  run<Value>(work: (session: Session) => Promise<Value>): Promise<Value>
}

/** Sessions of an app on this page. */
export function sessions(ask: Ask, appId: string, packageName: string): Sessions {
  let session: Promise<Session> | undefined

  async function open(): Promise<Session> {
    const query = new URLSearchParams({ packageName, platform: 'WEB' })
    const { body } = await ask<SdkConfig>(`/sdk/v1/device-fingerprint/config?${query}`, { appId })
    return {
      id: body.sessionId,
      headers: { appId, authorization: `Bearer ${body.sessionToken}` },
      collect: body.collect ?? {},
      challenge: body.challenge,
    }
  }

  /** Whoever asks meanwhile gets the same session; one that could not be opened is forgotten. */
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
