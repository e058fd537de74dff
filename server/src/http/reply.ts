// What is sent for a request? Headers are collected, and written once, with the body.

import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { finished, Readable } from 'node:stream'

/** Names of headers are in lower case. */
export class Reply {
  readonly raw: ServerResponse
  readonly #headers: OutgoingHttpHeaders = {}

  constructor(raw: ServerResponse) {
    this.raw = raw
  }

  /** Whether nothing else can be sent any more. */
  get hasBegun(): boolean {
    return this.raw.headersSent
  }

  header(name: string, value: string | number): this {
    this.#headers[name] = value
    return this
  }

  headers(headers: Readonly<Record<string, string>>): this {
    Object.assign(this.#headers, headers)
    return this
  }

  valueOf(name: string): string | undefined {
    const value = this.#headers[name]
    return value === undefined ? undefined : String(value)
  }

  /** Sets one more cookie. */
  cookie(cookie: string): void {
    this.#headers['set-cookie'] = [...((this.#headers['set-cookie'] as string[] | undefined) ?? []), cookie]
  }

  status(status: number): this {
    this.raw.statusCode = status
    return this
  }

  /** Node leaves out the body of an answer to HEAD. */
  send(body?: string | Uint8Array): void {
    const { statusCode } = this.raw
    if (body !== undefined) this.#headers['content-length'] = Buffer.byteLength(body)
    else if (statusCode !== 204 && statusCode !== 304) this.#headers['content-length'] = 0
    this.raw.writeHead(statusCode, this.#headers).end(body)
  }

  /** Sends the head only; the caller writes the rest to `raw`. */
  open(): ServerResponse {
    return this.raw.writeHead(this.raw.statusCode, this.#headers)
  }

  /** Sends texts as they come. Rejects when the first one fails: then another answer can be sent. Later the connection is closed. */
  stream(texts: AsyncIterable<string>): Promise<void> {
    const { raw } = this
    for (const [name, value] of Object.entries(this.#headers)) raw.setHeader(name, value!)
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
