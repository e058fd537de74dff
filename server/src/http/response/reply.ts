// What is sent for a request? Headers are collected, and written once, with the body.

import type { OutgoingHttpHeader, ServerResponse } from 'node:http'
import { finished, Readable } from 'node:stream'

/** Names of headers are in lower case. */
export class Reply {
  readonly raw: ServerResponse
  /** Names and values in turn: few enough to look through, and written as they are. */
  readonly #headers: OutgoingHttpHeader[] = []

  constructor(raw: ServerResponse) {
    this.raw = raw
  }

  /** Whether nothing else can be sent any more. */
  get hasBegun(): boolean {
    return this.raw.headersSent
  }

  header(name: string, value: string | number): this {
    this.#set(name, value)
    return this
  }

  headers(headers: Readonly<Record<string, string>>): this {
    for (const name of Object.keys(headers)) this.#set(name, headers[name]!)
    return this
  }

  valueOf(name: string): string | undefined {
    const value = this.#get(name)
    return value === undefined ? undefined : String(value)
  }

  /** Sets one more cookie. */
  cookie(cookie: string): void {
    this.#set('set-cookie', [...((this.#get('set-cookie') as string[] | undefined) ?? []), cookie])
  }

  #get(name: string): OutgoingHttpHeader | undefined {
    const at = this.#placeOf(name)
    return at < 0 ? undefined : this.#headers[at + 1]
  }

  #set(name: string, value: OutgoingHttpHeader): void {
    const at = this.#placeOf(name)
    if (at < 0) this.#headers.push(name, value)
    else this.#headers[at + 1] = value
  }

  #placeOf(name: string): number {
    const headers = this.#headers
    for (let at = 0; at < headers.length; at += 2) if (headers[at] === name) return at
    return -1
  }

  status(status: number): this {
    this.raw.statusCode = status
    return this
  }

  /** Node leaves out the body of an answer to HEAD. */
  send(body?: string | Uint8Array): void {
    const { statusCode } = this.raw
    if (body !== undefined) this.#set('content-length', Buffer.byteLength(body))
    else if (statusCode !== 204 && statusCode !== 304) this.#set('content-length', 0)
    this.raw.writeHead(statusCode, this.#headers).end(body)
  }

  /** Sends the head only; the caller writes the rest to `raw`. */
  open(): ServerResponse {
    return this.raw.writeHead(this.raw.statusCode, this.#headers)
  }

  /** Sends texts as they come. Rejects when the first one fails: then another answer can be sent. Later the connection is closed. */
  stream(texts: AsyncIterable<string>): Promise<void> {
    const { raw } = this
    const headers = this.#headers
    for (let at = 0; at < headers.length; at += 2) raw.setHeader(String(headers[at]), headers[at + 1]!)
    const source = Readable.from(texts, { objectMode: false })
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    finished(source, { writable: false }, (error) => {
      if (!error) resolve()
      else if (raw.headersSent || raw.destroyed) {
        raw.destroy()
        resolve()
      } else reject(error)
    })
    finished(raw, () => source.destroy())
    source.pipe(raw)
    return promise
  }
}
