// Which operator serves a number, by ENUM (RFC 6116)? A portability source that asks name servers for NAPTR records.

import { isIPv6 } from 'node:net'
import Type, { type Static } from 'typebox'
import { UpstreamError } from '../../../upstream/upstream-error.ts'
import { isOperatorId, OPERATOR_ID_SYNTAX } from '../operator-table.ts'
import type { PortabilitySource, PortabilitySourceKind, SourceResources } from '../source.ts'
import { enumAnswer, type OperatorCodes } from './enum-answer.ts'
import { type NameServer, type NaptrAnswer, queryNaptr } from './naptr-query.ts'

const idTable = (description: string) =>
  Type.Optional(Type.Record(Type.String(), Type.String({ minLength: 1 }), { description }))

const Config = Type.Object(
  {
    type: Type.Literal('enum', { description: 'the kind of source' }),
    zone: Type.String({
      pattern: '^[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*$',
      maxLength: 200,
      description: 'the zone of the numbers, without the digits, such as e164.arpa',
    }),
    servers: Type.Array(Type.String({ pattern: '^(\\d{1,3}(\\.\\d{1,3}){3}|\\[[0-9A-Fa-f:.]+\\])(:\\d{1,5})?$' }), {
      minItems: 1,
      maxItems: 8,
      description:
        'IP addresses of name servers, with a port if it is not 53: 192.0.2.1:5300 or [2001:db8::1]. The next one is asked when one fails',
    }),
    callingCodes: Type.Optional(
      Type.Array(Type.String({ pattern: '^[1-9][0-9]{0,2}$' }), {
        minItems: 1,
        description: 'it is asked about numbers of these country calling codes only. Default: all',
      }),
    ),
    timeoutMs: Type.Optional(
      Type.Integer({
        minimum: 50,
        maximum: 10_000,
        default: 1000,
        description: 'time limit of a question to one server, in ms',
      }),
    ),
    concurrentCalls: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2000,
        default: 200,
        description: 'the largest number of questions at the same time; beyond it, a look-up fails at once',
      }),
    ),
    cacheEntries: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000,
        default: 100_000,
        description: 'how many answers are kept in memory for their time to live',
      }),
    ),
    maxTtlSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 86_400,
        default: 3600,
        description: 'the longest time that an answer is kept, whatever the zone says',
      }),
    ),
    spn: idTable(
      'operator ids by the service provider id of the records: {"41077": 228-03}. Without an entry, the id is spn:41077',
    ),
    rn: idTable('operator ids by the first digits of the routing number, which may be hexadecimal: {d27: 250-01}'),
    home: idTable(
      'home operators by the first digits of a number: {"4179": 228-01}. They show whether the operator is another one now',
    ),
  },
  { additionalProperties: false },
)
type Config = Static<typeof Config>

export const enumSource: PortabilitySourceKind<typeof Config> = {
  type: 'enum',
  Config,
  create: (name, config, resources) => new EnumSource(name, config, resources),
}

/** NXDOMAIN and a name without records mean that the zone does not know the number. Everything else without an answer is a failure. */
class EnumSource implements PortabilitySource {
  readonly name: string
  readonly keepsAnswers = true
  readonly #config: Config
  readonly #resources: SourceResources
  readonly #servers: readonly NameServer[]
  readonly #codes: OperatorCodes
  readonly #kept = new Map<string, { answer: NaptrAnswer; at: number; until: number }>()
  readonly #asking = new Map<string, Promise<NaptrAnswer>>()
  readonly #ended = new AbortController()

  constructor(name: string, config: Config, resources: SourceResources) {
    this.name = name
    this.#config = config
    this.#resources = resources
    this.#servers = config.servers.map((text, index) => serverOf(text, `servers.${index}`))
    this.#codes = {
      spn: tableOf('spn', config.spn),
      rn: tableOf('rn', config.rn, /^[0-9a-f]{1,32}$/),
      home: tableOf('home', config.home, /^[0-9]{1,15}$/),
    }
  }

  lookUp: PortabilitySource['lookUp'] = async ({ digits, callingCode }, { signal, maxAgeSeconds }) => {
    const { callingCodes, zone } = this.#config
    if (callingCodes && !callingCodes.includes(callingCode)) return undefined
    const question = `${[...digits].reverse().join('.')}.${zone}`
    const entry = this.#remembered(question, maxAgeSeconds)
    const { records } = entry?.answer ?? (await within(this.#asked(question), signal))
    try {
      const answer = enumAnswer(records, digits, this.#codes)
      return answer && { ...answer, asOf: entry?.at ?? this.#resources.clock.now() }
    } catch (error) {
      throw new UpstreamError('format', `enum: ${(error as Error).message}`)
    }
  }

  async close(): Promise<void> {
    this.#ended.abort(new UpstreamError('unreachable', 'enum: the service is stopping'))
    await Promise.allSettled(this.#asking.values())
  }

  /** One question at a time for a number, whoever asks: it goes on when one of them gives up. */
  async #asked(question: string): Promise<NaptrAnswer> {
    const { concurrentCalls = 200 } = this.#config
    const running = this.#asking.get(question)
    if (running) return running
    if (this.#asking.size >= concurrentCalls)
      throw new UpstreamError('overloaded', `enum: ${concurrentCalls} questions are already open`)
    const startedAt = performance.now()
    const count = (outcome: string) => {
      const seconds = (performance.now() - startedAt) / 1000
      this.#resources.metrics.observe('upstreamCall', seconds, this.name, 'enum/naptr', outcome)
    }
    const answer = this.#ask(question).finally(() => this.#asking.delete(question))
    this.#asking.set(question, answer)
    return answer.then(
      (found) => {
        count('ok')
        this.#keep(question, found)
        return found
      },
      (error) => {
        count(error instanceof UpstreamError ? error.reason : 'unreachable')
        throw error
      },
    )
  }

  /** The servers in their order: the first that answers counts. */
  async #ask(question: string): Promise<NaptrAnswer> {
    const { timeoutMs = 1000 } = this.#config
    let failure: unknown
    for (const server of this.#servers) {
      const limit = AbortSignal.timeout(timeoutMs)
      try {
        return await queryNaptr(question, server, AbortSignal.any([limit, this.#ended.signal]))
      } catch (error) {
        this.#ended.signal.throwIfAborted()
        failure ??= limit.aborted ? new UpstreamError('timeout', `enum: no answer within ${timeoutMs} ms`) : error
      }
    }
    throw failure
  }

  #keep(question: string, answer: NaptrAnswer): void {
    const { cacheEntries = 100_000, maxTtlSeconds = 3600 } = this.#config
    const now = this.#resources.clock.now()
    const seconds = Math.min(answer.ttlSeconds, maxTtlSeconds)
    this.#kept.delete(question)
    if (seconds <= 0 || cacheEntries === 0) return
    // A Map keeps the order of insertion, so the first is the oldest.
    if (this.#kept.size >= cacheEntries) this.#kept.delete(this.#kept.keys().next().value!)
    this.#kept.set(question, { answer, at: now, until: now + seconds * 1000 })
  }

  /** Undefined too when the clock was set back to before the answer. */
  #remembered(question: string, maxAgeSeconds = Number.POSITIVE_INFINITY) {
    const entry = this.#kept.get(question)
    const now = this.#resources.clock.now()
    const isTooOld = entry && (now - entry.at) / 1000 >= maxAgeSeconds
    if (entry && !isTooOld && entry.at <= now && now < entry.until) return entry
    this.#kept.delete(question)
    return undefined
  }
}

/** Rejects with the reason of the signal when that comes first. */
async function within<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  answer.catch(() => undefined)
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([answer, promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

function serverOf(text: string, at: string): NameServer {
  const [, bracketed, plain, port = '53'] = /^(?:\[(.+)\]|([0-9.]+))(?::(\d+))?$/.exec(text) ?? []
  const host = bracketed ?? plain ?? ''
  const isAddress = bracketed ? isIPv6(host) : host.split('.').every((part) => Number(part) < 256)
  if (!isAddress || Number(port) < 1 || Number(port) > 65_535) {
    throw new Error(`${at} is ${text}, which is no IP address with a port from 1 to 65535`)
  }
  return { host, port: Number(port), family: bracketed ? 6 : 4 }
}

function tableOf(key: string, table: Readonly<Record<string, string>> = {}, syntax = /^.{1,64}$/): Map<string, string> {
  return new Map(
    Object.entries(table).map(([code, id]) => {
      const plain = code.toLowerCase()
      if (!syntax.test(plain)) throw new Error(`${key}.${code} is no code of this kind: write digits`)
      if (!isOperatorId(id)) throw new Error(`${key}.${code} is ${id}; expected ${OPERATOR_ID_SYNTAX}`)
      return [key === 'spn' ? code : plain, id]
    }),
  )
}
