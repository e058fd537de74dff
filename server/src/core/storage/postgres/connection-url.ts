// Which servers does a postgres:// URL name? One, or several as in libpq, of which one takes writes.

import type { ClientConfig } from 'pg'
import { parse, toClientConfig } from 'pg-connection-string'

export interface PostgresPlace {
  readonly hosts: readonly PostgresHost[]
  /** Whether a connection must be able to write (`target_session_attrs`). */
  readonly mustWrite: boolean
  /** Milliseconds for each host (`connect_timeout`). */
  readonly connectTimeoutMs?: number
}

export interface PostgresHost {
  /** For messages and comparison, without credentials: `db1:5432`. */
  readonly name: string
  readonly config: ClientConfig
}

const form = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)([^?#]*)(?:\?([^#]*))?$/i

/**
 * Reads `postgres://user:password@host1:port,host2/database?parameters`, with the parameters of libpq. A list in `host=` and
 * `port=` works too.
 * @throws TypeError that says what to write instead
 */
export function readPostgresUrl(url: string): PostgresPlace {
  try {
    return placeOf(url)
  } catch (error) {
    throw error instanceof URIError ? notValid(error) : error
  }
}

function placeOf(url: string): PostgresPlace {
  const [, start = '', authority = '', path = '', query = ''] = form.exec(url) ?? refuse()
  const parameters = new URLSearchParams(query)
  const hosts = hostsOf(authority, parameters)
  const connectTimeout = secondsOf(parameters.get('connect_timeout'))
  const mustWrite = mustWriteOf(parameters.get('target_session_attrs'), hosts.length)
  for (const name of ['host', 'port', 'target_session_attrs', 'connect_timeout']) parameters.delete(name)
  return {
    hosts: hosts.map(({ host, port }) => hostOf({ start, host, port, path, parameters })),
    mustWrite,
    ...(connectTimeout > 0 && { connectTimeoutMs: connectTimeout * 1000 }),
  }
}

/** 0, as in libpq: the default. */
function secondsOf(text: string | null): number {
  if (text === null || /^\d{1,6}$/.test(text)) return Number(text)
  throw new TypeError('connect_timeout in the postgres:// URL must be a whole number of seconds')
}

interface Place {
  host: string
  port: string
}

/** As in libpq: one port for each host, or one for all. */
function hostsOf(authority: string, parameters: URLSearchParams): Place[] {
  const named = authority.split(',').map((part) => {
    const [, host = '', port = ''] = /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(part) ?? refuse()
    return { host: decodeURIComponent(host), port }
  })
  const host = parameters.get('host')
  const hosts = host === null ? named.map(({ host }) => host) : host.split(',')
  const port = parameters.get('port')
  const ports = port === null ? named.map(({ port }) => port) : port.split(',')
  if (ports.length !== 1 && ports.length !== hosts.length) {
    throw new TypeError(
      `The postgres:// URL has ${hosts.length} hosts and ${ports.length} ports: give one port, or one for each host`,
    )
  }
  return hosts.map((name, index) => ({ host: name, port: (ports.length === 1 ? ports[0] : ports[index]) ?? '' }))
}

/** Of several hosts only the primary is useful. One host may be a proxy, which `ping` checks. */
function mustWriteOf(attributes: string | null, hosts: number): boolean {
  switch (attributes) {
    case null:
      return hosts > 1
    case 'any':
      return false
    case 'read-write':
    case 'primary':
      return true
    default:
      throw new TypeError(
        `target_session_attrs in the postgres:// URL must be read-write, primary or any, not ${attributes}: Ringfence writes`,
      )
  }
}

function hostOf({
  start,
  host,
  port,
  path,
  parameters,
}: { start: string; path: string; parameters: URLSearchParams } & Place) {
  const isSocket = host.startsWith('/')
  const query = new URLSearchParams(parameters)
  if (isSocket) query.set('host', host)
  const server = `${isSocket ? 'localhost' : host}${port && `:${port}`}`
  const text = `${start}${server}${path}${query.size > 0 ? `?${query}` : ''}`
  if (!URL.canParse(text)) refuse()
  return { name: isSocket ? host : `${host}:${port || 5432}`, config: toClientConfig(parse(text)) as ClientConfig }
}

function refuse(): never {
  throw notValid()
}

const notValid = (cause?: URIError) =>
  new TypeError(
    'The postgres:// URL is not valid. Write postgres://user:password@host/database, or with several hosts ' +
      'postgres://user:password@host1:5432,host2:5432/database, and / @ : # ? % in the password as %2F %40 %3A %23 %3F %25',
    { cause },
  )
