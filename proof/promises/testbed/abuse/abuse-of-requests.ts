// Can a request evade its path, its scope or its bounds?

import { endpoints, pathWith, type Scope, scopes } from '@ringfence/contract'
import type { ClientRestrictions } from '../../../../server/src/clients/store/clients.ts'
import { surface } from '../../../../server/src/features.ts'
import { exchangeRaw, parseRaw } from '../../../../server/src/testing/raw-http.ts'
import { sdkClient } from '../../../../server/src/testing/sdk-client.ts'
import { eachOf } from '../../promise.ts'
import type { Abuse } from './abuse.ts'

const paths: Abuse = {
  name: 'paths that a proxy reads in another way',
  async run({ service, refused, allowed }) {
    const ask = async (method: string, target: string) => {
      const { clientId, clientSecret } = service.credentials
      const credentials = `clientId: ${clientId}\r\nclientSecret: ${clientSecret}\r\n`
      const head = `${method} ${target} HTTP/1.1\r\nhost: x\r\n${credentials}connection: close\r\n`
      return parseRaw(await exchangeRaw(service.url, `${head}content-length: 0\r\n\r\n`)).status
    }
    const own = new Set(surface.map(({ path }) => path)) // /console/ is a page, and no disguise of /console
    const targets = surface
      .filter(({ path }) => path !== '/')
      .flatMap((row) => disguisesOf(pathWith(row.path, anyId)).map((target) => [row.method, target] as const))
      .filter(([, target]) => !own.has(target))
    await eachOf(targets, 8, async ([method, target]) => {
      const status = await ask(method, target)
      refused(status === 404, () => `${method} ${target} is answered ${status}`)
    })
    allowed((await ask('GET', '/health')) === 200, () => '/health')
  },
}

const anyId = '019ca945-0a00-767c-aa24-2d7ae2468f6c'

function disguisesOf(path: string): string[] {
  const letter = path.search(/[a-z]/)
  const encoded = `%${path.charCodeAt(letter).toString(16)}`
  return [
    path.slice(0, letter) + encoded + path.slice(letter + 1),
    path.replaceAll('/', '%2f').replace('%2f', '/'),
    `/x/..${path}`,
    `/.${path}`,
    `/${path}`,
    `${path}/`,
    `${path};x`,
    `${path}%00`,
    path.toUpperCase(),
  ].filter((target) => target !== path)
}

const hiddenHeaders: Abuse = {
  name: 'hiding what a proxy adds behind a thousand headers',
  async run({ service, refused, allowed }) {
    const { parts: needs, tenantId, url } = service
    const ask = async (target: string, hidden: string, shown = '') => {
      const junk = Array.from({ length: 1500 }, (_, i) => `a${i.toString(36)}:\r\n`).join('')
      const head = `GET ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${shown}`
      const [plain, behind] = [`${head}${hidden}\r\n`, `${head}${junk}${hidden}\r\n`]
      return Promise.all([plain, behind].map(async (text) => Number((await exchangeRaw(url, text)).split(' ')[1])))
    }
    const stranger = 'x-forwarded-for: 203.0.113.7\r\n'
    // Of the proxy's own address: what is left when its header is gone.
    const { clientId, clientSecret } = await needs.clients.createClient(tenantId, 'restricted', {
      scopes: null,
      allowedIps: '127.0.0.1',
      expiresAt: null,
      role: null,
    })
    const credentials = `clientId: ${clientId}\r\nclientSecret: ${clientSecret}\r\n`
    const authorize = endpoints.sendMagicLink.path
    for (const [what, target, hidden, shown, expected] of [
      ['the IP address of a stranger', '/metrics', stranger, '', 401],
      ['the IP address of a restricted client', authorize, stranger, credentials, 403],
      ['a second host', '/health', 'host: y\r\n', '', 400],
    ] as const) {
      const [plain, behind] = await ask(target, hidden, shown)
      allowed(plain === expected, () => `${what} in plain sight is answered ${plain}`)
      // Or it is refused for its headers, as Node does since 26.10.
      refused(behind === expected || behind === 431, () => `${what} is answered ${behind}`)
    }
  },
}

const restrictedClients: Abuse = {
  name: 'calls of restricted clients beyond their scope, addresses and end',
  async run({ service, refused, allowed }) {
    const { parts: needs, tenantId, clock, url } = service
    const clientOf = (restrictions: Partial<ClientRestrictions>) =>
      needs.clients.createClient(tenantId, 'restricted', {
        scopes: null,
        allowedIps: null,
        expiresAt: null,
        role: null,
        ...restrictions,
      })
    const rows = surface
      .filter((row) => row.kind === 'endpoint')
      .filter(({ caller }) => caller === 'client')
      .map((row) => ({ ...row, path: pathWith(row.path, anyId) }))
    const statusOf = async ({ method, path }: (typeof rows)[number], headers: Record<string, string>) => {
      const body = method === 'POST' ? '{}' : null
      const answer = await fetch(url + path, {
        method,
        body,
        headers: { 'content-type': 'application/json', ...headers },
      })
      await answer.arrayBuffer()
      return answer.status
    }
    for (const row of rows)
      refused(row.scope !== undefined, () => `${row.path} has no scope: any restricted client may call it`)
    for (const scope of Object.keys(scopes) as Scope[]) {
      const only = { ...(await clientOf({ scopes: scope })) }
      for (const row of rows) {
        const status = await statusOf(row, only)
        if (row.scope === scope)
          allowed(status !== 403, () => `${row.path} with its scope ${scope} is answered ${status}`)
        else refused(status === 403, () => `${row.path} with the scope ${scope} is answered ${status}`)
      }
    }
    const inside = { ...(await clientOf({ allowedIps: '10.1.0.0/16' })) }
    const ending = { ...(await clientOf({ expiresAt: clock.now() + 1000 })) }
    for (const row of rows) {
      for (const address of ['10.2.0.1', '::ffff:10.2.0.1', '10.1.0.1, 10.2.0.1'])
        refused(
          (await statusOf(row, { ...inside, 'x-forwarded-for': address })) === 403,
          () => `${row.path} from ${address}`,
        )
      allowed(
        (await statusOf(row, { ...inside, 'x-forwarded-for': '10.1.2.3' })) !== 403,
        () => `${row.path} from its address`,
      )
      allowed((await statusOf(row, ending)) !== 401, () => `${row.path} before the end of the client`)
    }
    clock.advance({ ms: 1000 })
    for (const row of rows)
      refused((await statusOf(row, ending)) === 401, () => `${row.path} after the end of the client`)
  },
}

const largest = 4096
const sized = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) })
const many = (keys: number) => Object.fromEntries(Array.from({ length: keys }, (_, i) => [`k${i}`, 1]))
const nested = (levels: number): object => (levels === 1 ? { a: 1 } : { a: nested(levels - 1) })

const oversizedInput: Abuse = {
  name: 'additionalInput and params beyond their bounds',
  async run({ service, refused, allowed }) {
    const visit = async (params: object, additionalInput?: object) => {
      const client = await sdkClient(service, { app: service.app })
      const engine = client.engineBody({}, { updateInfo: { additionalInput } })
      const analysed = await client.post(endpoints.intelligence.path, engine)
      if (analysed.status !== 200) return analysed.status
      return (await client.post(endpoints.pushFingerprint.path, client.pushBody(engine.requestId, params))).status
    }
    for (const [within, beyond] of [
      [sized(largest - 2), sized(largest + 1)],
      [many(64), many(65)],
      [nested(4), nested(5)],
      [{}, sized(60_000)],
      [{}, nested(2000)],
      [{}, { a: 'ü'.repeat(largest / 2) }],
    ] as const) {
      const what = JSON.stringify(beyond).slice(0, 40)
      for (const [params, input] of [
        [beyond, undefined],
        [{}, beyond],
        [sized(largest / 2), beyond],
      ] as const) {
        const status = await visit(params, input)
        refused(status === 400 || status === 413, () => `${what} is answered ${status}`)
      }
      const status = await visit({}, within)
      allowed(status === 200, () => `${JSON.stringify(within).slice(0, 40)} is answered ${status}`)
    }
    const both = await visit(sized(largest / 2), sized(largest / 2 + 1))
    refused(both === 400, () => `half of the bytes in each, and one more, is answered ${both}`)
  },
}

export const abuseOfRequests: readonly Abuse[] = [paths, hiddenHeaders, restrictedClients, oversizedInput]
