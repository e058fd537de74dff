// Which NAPTR records does a name server have for a name, and for how long? One question over UDP, over TCP when truncated.
//
// Not node:dns: its resolveNaptr returns no TTL.

import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { connect } from 'node:net'
import { decode, encode, type Packet, RECURSION_DESIRED, streamDecode, streamEncode } from 'dns-packet'
import { UpstreamError } from '../../../upstream/upstream-error.ts'
import type { Naptr } from './enum-answer.ts'

/** Answers above it come truncated, and then over TCP: larger datagrams are fragmented, which is unsafe. */
const UDP_BYTES = 1232
const MAX_TCP_BYTES = 65_537
const TRUNCATED = 0x200
const NXDOMAIN = 3

export interface NameServer {
  readonly host: string
  readonly port: number
  /** 4 or 6. */
  readonly family: 4 | 6
}

export interface NaptrAnswer {
  /** Unsorted. Empty: the name does not exist, or has none. */
  readonly records: readonly Naptr[]
  /** How long the answer may be kept, in seconds. 0 when the server does not say. */
  readonly ttlSeconds: number
}

/** Rejects with an UpstreamError: timeout, unreachable, status (SERVFAIL and the like) or format; or with the reason of `signal`. */
export async function queryNaptr(name: string, server: NameServer, signal: AbortSignal): Promise<NaptrAnswer> {
  const query: Packet = {
    type: 'query',
    id: randomInt(65_536),
    flags: RECURSION_DESIRED,
    questions: [{ type: 'NAPTR', name, class: 'IN' }],
    additionals: [
      {
        type: 'OPT',
        name: '.',
        udpPayloadSize: UDP_BYTES,
        extendedRcode: 0,
        ednsVersion: 0,
        flags: 0,
        flag_do: false,
        options: [],
      },
    ],
  }
  signal.throwIfAborted()
  const short = await overUdp(query, server, signal)
  return read(isTruncated(short) ? await overTcp(query, server, signal) : short, name)
}

/** Each question has its own socket, so that its source port cannot be guessed. Datagrams that do not answer it are ignored. */
function overUdp(query: Packet, { host, port, family }: NameServer, signal: AbortSignal): Promise<Packet> {
  return new Promise((resolve, reject) => {
    const socket = createSocket(family === 6 ? 'udp6' : 'udp4')
    let ended = false
    const end = (finish: () => void) => {
      if (ended) return
      ended = true
      signal.removeEventListener('abort', abort)
      socket.close()
      finish()
    }
    const abort = () => end(() => reject(signal.reason))
    signal.addEventListener('abort', abort, { once: true })
    socket.on('error', (cause) => end(() => reject(unreachable(cause))))
    socket.on('message', (message) => {
      const answer = decoded(() => decode(message))
      if (answer && answers(answer, query)) end(() => resolve(answer))
    })
    // A connected socket takes datagrams of this server only, and hears that its port is closed.
    socket.connect(port, host, () => {
      if (!ended) socket.send(encode(query))
    })
  })
}

function overTcp(query: Packet, { host, port }: NameServer, signal: AbortSignal): Promise<Packet> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port })
    const received = Buffer.allocUnsafe(MAX_TCP_BYTES)
    let length = 0
    const end = (finish: () => void) => {
      signal.removeEventListener('abort', abort)
      socket.destroy()
      finish()
    }
    const abort = () => end(() => reject(signal.reason))
    signal.addEventListener('abort', abort, { once: true })
    socket.on('error', (cause) => end(() => reject(unreachable(cause))))
    socket.on('end', () => end(() => reject(unreachable(new Error('the connection ended before the answer')))))
    socket.on('data', (part: Buffer) => {
      length += part.copy(received, length)
      const needed = length < 2 ? 2 : received.readUInt16BE(0) + 2
      if (length < needed) return
      const answer = decoded(() => streamDecode(received.subarray(0, needed)) ?? undefined)
      if (answer && answers(answer, query)) return end(() => resolve(answer))
      end(() => reject(new UpstreamError('format', 'the name server answered something else over TCP')))
    })
    socket.write(streamEncode(query))
  })
}

const unreachable = (cause: Error) => new UpstreamError('unreachable', `the name server: ${cause.message}`)

/** dns-packet throws on damaged messages. */
function decoded(read: () => Packet | undefined): Packet | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** Whether the id and the question are ours: anything else may come from somebody who guesses. */
function answers({ id, type, questions = [] }: Packet, query: Packet): boolean {
  const [asked] = query.questions!
  const [question] = questions
  return (
    type === 'response' &&
    id === query.id &&
    questions.length === 1 &&
    question!.type === 'NAPTR' &&
    question!.name.toLowerCase() === asked!.name.toLowerCase()
  )
}

const isTruncated = ({ flags = 0 }: Packet) => (flags & TRUNCATED) !== 0

function read({ flags = 0, answers = [], authorities = [] }: Packet, name: string): NaptrAnswer {
  const code = flags & 15
  if (code !== 0 && code !== NXDOMAIN) throw new UpstreamError('status', `the name server answered with code ${code}`)
  const names = aliasesOf(name, answers)
  const found = answers.flatMap((each) =>
    each.type === 'NAPTR' && names.has(each.name.toLowerCase()) ? [{ ttl: each.ttl ?? 0, data: each.data }] : [],
  )
  if (found.length > 0) {
    const aliases = answers.flatMap((each) => (each.type === 'CNAME' ? [each.ttl ?? 0] : []))
    return {
      records: found.map(({ data }) => ({ ...data, flags: String(data.flags), services: String(data.services) })),
      ttlSeconds: Math.min(...found.map(({ ttl }) => ttl), ...aliases),
    }
  }
  const soa = authorities.find((each) => each.type === 'SOA')
  return { records: [], ttlSeconds: soa ? Math.min(soa.ttl ?? 0, soa.data.minimum ?? 0) : 0 }
}

/** The name, and the names that it is an alias of. */
function aliasesOf(name: string, answers: NonNullable<Packet['answers']>): Set<string> {
  const names = new Set([name.toLowerCase()])
  for (const each of answers) {
    if (each.type === 'CNAME' && names.has(each.name.toLowerCase())) names.add(String(each.data).toLowerCase())
  }
  return names
}
