// Which codes and links did the service send? In a sandbox it shows its messages in place of sending them.

import { setTimeout as wait } from 'node:timers/promises'
import { send } from './send.ts'

/** A message that the service would have sent. */
export interface Message {
  /** RFC 3339. */
  readonly at: string
  readonly method: string
  /** Phone number in digits, or email address. */
  readonly to: string
  readonly subject: string
  readonly text: string
}

export interface WaitOptions {
  /** How long to wait for the message, in milliseconds. Default: 5,000. */
  readonly timeoutMs?: number
}

export interface Inbox {
  /** All messages, newest first, or those to one recipient. */
  messages(to?: string): Promise<readonly Message[]>
  /** The code of the newest message to this number or email address. A code is returned once: the next call waits for the next one. */
  codeFor(to: string, options?: WaitOptions): Promise<string>
  /** The same for the magic link of an email or SMS. */
  linkFor(to: string, options?: WaitOptions): Promise<string>
}

/** No such message was sent in time. The message says what was sent. */
export class NothingSent extends Error {
  override name = 'NothingSent'
}

export interface InboxOptions {
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
}

const everyMs = 50

export function inbox({ url, clientId, clientSecret }: InboxOptions): Inbox {
  const headers = { clientId, clientSecret }
  const read = new Set<string>()

  async function messages(to?: string): Promise<readonly Message[]> {
    const query = to === undefined ? '' : `?${new URLSearchParams({ to })}`
    return (await send<{ messages: Message[] }>(`${url}/v1/sandbox/messages${query}`, { headers })).messages
  }

  async function next(what: string, pattern: RegExp, to: string, { timeoutMs = 5000 }: WaitOptions): Promise<string> {
    const endsAt = performance.now() + timeoutMs
    for (;;) {
      const newest = (await messages(to)).find(({ text }) => pattern.test(text))
      const key = newest && `${newest.at} ${newest.to} ${newest.text}`
      if (newest && key !== undefined && !read.has(key)) {
        read.add(key)
        return pattern.exec(newest.text)![0]
      }
      if (performance.now() > endsAt) throw await nothingSent(what, to, timeoutMs, newest !== undefined)
      await wait(everyMs)
    }
  }

  async function nothingSent(what: string, to: string, timeoutMs: number, wasRead: boolean): Promise<NothingSent> {
    const sent = (await messages()).slice(0, 5).map((each) => `${each.method} to ${each.to} at ${each.at}`)
    const known = wasRead ? 'its last one was returned before' : 'the telecom gate of the app may hold it back'
    const others = sent.length === 0 ? 'Nothing was sent to anybody.' : `Sent: ${sent.join('; ')}.`
    return new NothingSent(`no ${what} was sent to ${to} within ${timeoutMs} ms (${known}). ${others}`)
  }

  return {
    messages,
    codeFor: (to, options = {}) => next('code', /^\d{4,10}\b/, to, options),
    linkFor: (to, options = {}) => next('link', /https?:\/\/\S+/, to, options),
  }
}
