// What do callers do while a store fails over, and which of their acknowledged writes are still there afterwards?

import { setTimeout as after } from 'node:timers/promises'
import { endpoints, readSamples } from '@ringfence/contract'
import type { IssuedCredentials } from '../../../server/src/clients/credentials.ts'
import { Complaints, eachOf } from '../promise.ts'
import type { AppTraffic } from './app-traffic.ts'

const login = readSamples().IssueTokenRequest?.ordinary
const deadlineMs = 1_000
/** Between two calls of one caller. */
const defaultPauseMs = 20

type Validity = 'accepted' | 'refused' | 'either'

/** A server that was killed answers nothing, which is no wrong answer. */
class AnswersOnly extends Complaints {
  override unless(holds: boolean, complaint: () => string): void {
    if (holds) return
    const text = complaint()
    if (!/fetch failed|terminated/.test(text)) super.unless(false, () => text)
  }
}

export class FailoverTraffic {
  readonly #urls: () => readonly string[]
  readonly #client: IssuedCredentials
  readonly #app: AppTraffic
  readonly #pauseMs: number
  readonly #tokens = new Map<string, Validity>()
  readonly wrong = new AnswersOnly()
  readonly lost = new Complaints()
  readonly counts = { issued: 0, revoked: 0, used: 0, unavailable: 0, status500: 0 }
  /** Milliseconds after the deadline of the latest answer. */
  latestMs = 0
  #lastWriteAt = performance.now()
  #longestGapMs = 0
  #done = false

  constructor(urls: () => readonly string[], client: IssuedCredentials, app: AppTraffic, pauseMs = defaultPauseMs) {
    this.#urls = urls
    this.#client = client
    this.#app = app
    this.#pauseMs = pauseMs
  }

  /** The figures of an outcome. */
  get figures(): Record<string, number> {
    const { counts, lost, wrong } = this
    return {
      'tokens issued': counts.issued,
      'tokens revoked': counts.revoked,
      'single-use tokens used': counts.used,
      ...this.#app.figures,
      lost: lost.count,
      'wrong answers': wrong.count,
      'answers 503': counts.unavailable,
      'answers 500': counts.status500,
    }
  }

  /** Runs until `stop`: for each server two callers of tokens, and a person who uses the app. */
  async run(servers: number): Promise<void> {
    const loops = Array.from({ length: servers }, (_, server) => [
      this.#loop(() => this.#useTokens(server)),
      this.#loop(() => this.#useTokens(server)),
      this.#loop(() => this.#app.refused(this.#urls()[server]!, this.wrong)),
    ])
    await Promise.all(loops.flat())
  }

  stop(): void {
    this.#done = true
  }

  /** Begins to measure the longest time without an acknowledged write. */
  beginGap(): void {
    this.#lastWriteAt = performance.now()
    this.#longestGapMs = 0
  }

  get gapMs(): number {
    return Math.max(this.#longestGapMs, performance.now() - this.#lastWriteAt)
  }

  /** Resolves when every server acknowledged a write; false after two minutes. */
  async recovered(): Promise<boolean> {
    const giveUpAt = performance.now() + 120_000
    for (const server of this.#urls().keys()) {
      while ((await this.#issue(server)) === undefined) {
        if (performance.now() > giveUpAt) return false
        await after(100)
      }
    }
    return true
  }

  /** Every token that was acknowledged, compared with what the servers say now. */
  async compare(): Promise<void> {
    await eachOf([...this.#tokens], 8, async ([token, validity]) => {
      if (validity === 'either') return
      const status = await this.#untilAnswered(token)
      const holds = status === undefined || status === (validity === 'accepted' ? 200 : 400)
      this.lost.unless(holds, () => `a token that must be ${validity} is answered ${status}`)
    })
    this.#tokens.clear()
  }

  async #loop(step: () => Promise<unknown>): Promise<void> {
    while (!this.#done) {
      await step().catch((error: Error) => this.wrong.unless(false, () => String(error.message)))
      await after(this.#pauseMs)
    }
  }

  /** Of three tokens one is revoked and one is used up. */
  async #useTokens(server: number): Promise<void> {
    await this.#issue(server)
    const revoked = await this.#issue(server)
    if (revoked !== undefined) {
      this.#tokens.set(revoked, 'either')
      const { status } = await this.#call(server, endpoints.revokeToken.path, { token: revoked })
      if (status === 200) {
        this.counts.revoked++
        this.#wrote()
        this.#tokens.set(revoked, 'refused')
      }
    }
    const used = await this.#issue(server)
    if (used === undefined) return
    this.#tokens.set(used, 'either')
    const { status } = await this.#call(server, endpoints.validateToken.path, { token: used })
    this.wrong.unless(status !== 400, () => 'a token that was just issued is unknown')
    if (status !== 200) return
    this.counts.used++
    this.#wrote()
    this.#tokens.set(used, 'refused')
  }

  async #issue(server: number): Promise<string | undefined> {
    const { status, text } = await this.#call(server, endpoints.issueToken.path, login)
    if (status !== 200) return undefined
    this.counts.issued++
    this.#wrote()
    const { token } = JSON.parse(text) as { token: string }
    this.#tokens.set(token, 'accepted')
    return token
  }

  #wrote(): void {
    const now = performance.now()
    this.#longestGapMs = Math.max(this.#longestGapMs, now - this.#lastWriteAt)
    this.#lastWriteAt = now
  }

  /** Undefined when nobody can say: an attempt without an answer may have used up the token. */
  async #untilAnswered(token: string): Promise<number | undefined> {
    for (let attempt = 0; ; attempt++) {
      const server = attempt % this.#urls().length
      const { status } = await this.#call(server, endpoints.validateToken.path, { token })
      if (status === 200 || attempt === 50) return status
      if (status === 400) return attempt === 0 ? status : undefined
      await after(100)
    }
  }

  /** Status 0: no answer, since the server is gone. */
  async #call(server: number, path: string, body: unknown): Promise<{ status: number; text: string }> {
    const { clientId, clientSecret } = this.#client
    const headers = {
      'content-type': 'application/json',
      'x-ringfence-deadline-ms': String(deadlineMs),
      clientId,
      clientSecret,
    }
    const startedAt = performance.now()
    try {
      const response = await fetch(this.#urls()[server]! + path, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      const text = await response.text()
      this.latestMs = Math.max(this.latestMs, performance.now() - startedAt - deadlineMs)
      const { status } = response
      if (status === 503) this.counts.unavailable++
      else if (status >= 500) this.counts.status500++
      this.wrong.unless([200, 400, 503].includes(status), () => `${path} is answered ${status} ${text}`)
      return { status, text }
    } catch {
      return { status: 0, text: '' }
    }
  }
}
