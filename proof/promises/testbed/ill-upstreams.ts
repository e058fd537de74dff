// Which upstreams can be made to fail? The sandbox, one behind TLS, and one whose name does not resolve.

import { writeFile } from 'node:fs/promises'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import type { AimedFault, Route, Sandbox } from '@ringfence/sandbox'
import { selfSignedCertificate } from '../../../server/src/upstream/testing/self-signed-certificate.ts'
import type { RunOptions } from '../promise.ts'
import { operatorSecret, startOperator } from './operator.ts'
import { scratchFolder } from './scratch-folder.ts'

/**
 * Time-out of one attempt; shorter than the deadline, as the configuration reference advises. The attempts of a healthy upstream are in
 * time also on a busy machine.
 */
export const timeoutMs = 1_000

/** An upstream with a switchable fault. */
export interface Upstream {
  /** Its configuration for `connectors` and `portabilitySources`, without the type. */
  parts: { baseUrl: string; token: object; timeoutMs?: number; tls?: object; sandbox?: true }
  faults: readonly IllFault[]
}

export interface IllFault {
  name: string
  begin(aim: 'the check' | 'the access token'): unknown
  end(): unknown
}

/** Ends a fault that this program cannot undo. */
export const forGood = () => undefined

const kinds: readonly [name: string, fault: AimedFault][] = [
  ['slow', { kind: 'slow', delayMs: 60_000 }],
  ['reset', { kind: 'reset' }],
  ['half-open', { kind: 'half-open' }],
  ['drip', { kind: 'drip', everyMs: 200 }],
  ['garbage', { kind: 'garbage' }],
  ['wrong type', { kind: 'wrong-content-type' }],
  ['huge body', { kind: 'huge-body', bytes: 10_000_000 }],
  ['redirect', { kind: 'redirect' }],
  ['5xx', { kind: 'status', status: 500 }],
  ['429', { kind: 'status', status: 429, retryAfterSeconds: 1 }],
]

const checkRoutes: readonly Route[] = [
  '/sim-swap/v2/check',
  '/call-forwarding-signal/v0.4/unconditional-call-forwardings',
  '/portability/v1/numbers/{digits}',
]

const tokenOf = (url: string, secretFile: string) => ({
  endpoint: `${url}/oauth2/token`,
  clientId: 'ringfence',
  authentication: 'client_secret_basic',
  clientSecret: { file: secretFile },
})

async function illSandbox(run: RunOptions): Promise<{ sandbox: Sandbox; secretFile: string }> {
  const { sandbox } = await startOperator(run)
  const secretFile = join(await scratchFolder(run), 'secret')
  await writeFile(secretFile, operatorSecret)
  return { sandbox, secretFile }
}

export async function sandboxUpstream(run: RunOptions): Promise<Upstream> {
  const { sandbox, secretFile } = await illSandbox(run)
  const faults = kinds.map(([name, fault]) => ({
    name,
    begin(aim: string) {
      const routes: readonly Route[] = aim === 'the check' ? checkRoutes : ['/oauth2/token']
      for (const route of routes) sandbox.faults.switchOn({ ...fault, route })
    },
    end: () => sandbox.faults.switchAllOff(),
  }))
  return { parts: { baseUrl: sandbox.url, token: tokenOf(sandbox.url, secretFile), timeoutMs, sandbox: true }, faults }
}

/** Behind TLS, with a certificate that can become untrusted. */
export async function tlsUpstream(run: RunOptions): Promise<Upstream> {
  const { sandbox, secretFile } = await illSandbox(run)
  const [good, bad] = [selfSignedCertificate('operator'), selfSignedCertificate('somebody else')]
  const caFile = join(await scratchFolder(run), 'ca.pem')
  await writeFile(caFile, good.certificate)
  const open = new Set<{ destroy(): void }>()
  const front = createServer({ cert: good.certificate, key: good.key }, (socket) => {
    const inner = connect(sandbox.port, '127.0.0.1')
    for (const side of [socket, inner]) {
      open.add(side)
      side.on('error', () => undefined).on('close', () => [socket, inner].map((each) => each.destroy()))
    }
    socket.pipe(inner).pipe(socket)
  })
  front.on('tlsClientError', () => undefined)
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  run.after(() => {
    front.close()
    for (const socket of open) socket.destroy()
  })
  const show = ({ certificate, key }: typeof good) => {
    front.setSecureContext({ cert: certificate, key })
    for (const socket of open) socket.destroy() // new connections see the new certificate
    open.clear()
  }
  const url = `https://127.0.0.1:${(front.address() as AddressInfo).port}`
  return {
    parts: { baseUrl: url, token: tokenOf(url, secretFile), timeoutMs, tls: { ca: { file: caFile } } },
    faults: [{ name: 'bad TLS', begin: () => show(bad), end: () => show(good) }],
  }
}

/** Names below .invalid never resolve (RFC 6761). */
export async function unresolvedUpstream(run: RunOptions): Promise<Upstream> {
  const { secretFile } = await illSandbox(run)
  const url = 'https://operator.invalid'
  const faults = [{ name: 'DNS', begin: () => undefined, end: forGood }]
  return { parts: { baseUrl: url, token: tokenOf(url, secretFile), timeoutMs }, faults }
}
