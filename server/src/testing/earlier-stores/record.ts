// Which stores do earlier versions leave? Run with the code of a version: `node …/record.ts CHECKOUT > NNNN.json`.
//
// CHECKOUT is a git worktree of that version with its node_modules. Each release adds its store (docs/versioning.md).

import { generateKeyPairSync, sign } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { endpoints, readSamples } from '@ringfence/contract'
import type { EarlierStore, StoredValue } from './earlier-store.ts'

const checkout = resolve(process.argv[2] ?? '.')
/** Whatever that version exports: its types are not those of this one. */
// biome-ignore lint/suspicious/noExplicitAny: see above
const load = (file: string): Promise<any> => import(join(checkout, 'server/src', file))

const userId = 'asha'
const masterKey = Buffer.alloc(32, 9).toString('base64')
const folder = await mkdtemp(join(tmpdir(), 'ringfence-earlier-'))
const ends: (() => unknown)[] = [() => rm(folder, { recursive: true })]
const ending = { after: (end: () => unknown) => ends.unshift(end) }

try {
  const { openDatabase } = await load('core/storage/open-database.ts')
  const { startTestService } = await load('testing/test-service.ts')
  const { createApp } = await load('testing/sdk-client.ts')
  const { browserClient, ordinaryFacts: facts } = await load('device/testdata/ordinary-report.ts')
  const signing = await load('testing/installation-key.ts').catch(() => undefined)
  const database = await openDatabase(folder)
  const service = await startTestService(ending, database, { settings: { masterKey, tokenLifetimeSeconds: 86_400 } })
  const answer = async (path: string, body: unknown, status = 200) => {
    const given = await service.post(path, body)
    if (given.status !== status) throw new Error(`${path}: ${given.status} ${JSON.stringify(given.body)}`)
    return given.body
  }

  const revokedClient = await service.parts.clients.createClient(service.tenantId, 'revoked')
  await service.parts.clients.revoke(revokedClient.clientId)

  const app = await createApp(service)
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  const key = signing && {
    publicKey: point.toString('base64url'),
    proofOf: (body: unknown) => ({
      publicKey: point.toString('base64url'),
      signature: sign('sha256', Buffer.from(signing.signedTextOf(body)), {
        key: privateKey,
        dsaEncoding: 'ieee-p1363',
      }).toString('base64url'),
    }),
  }
  const reports: EarlierStore['reports'][number][] = []
  let deviceToken: string | undefined
  let headers = {}
  for (let visit = 0; visit < 3; visit++) {
    service.clock.advance({ hours: 25 })
    const client = await browserClient(service, { app, ...(key && { key }) })
    const { authorization: _, appId: __, ...rest } = client.headers
    headers = rest
    const analysed = await client.analyse({ ...facts, ...(deviceToken && { deviceToken }) })
    deviceToken = analysed.deviceToken
    const pushed = await client.post(endpoints.pushFingerprint.path, client.pushBody(analysed.requestId))
    const { dfrId } = pushed.body
    // The backend names the user, whose device this becomes.
    await answer(endpoints.deviceFingerprint.path, { dfrId, deviceType: 'WEB', userId })
    reports.push({ dfrId, answer: await answer(endpoints.deviceFingerprint.path, { dfrId, deviceType: 'WEB' }) })
  }
  const issue = async () => (await answer(endpoints.issueToken.path, readSamples().IssueTokenRequest?.ordinary)).token
  const [token, revokedToken] = [await issue(), await issue()]
  await answer(endpoints.revokeToken.path, { token: revokedToken })
  const listed = await service.post(endpoints.listAccountDevices.path, { userId })
  const validated = await answer(endpoints.validateToken.path, { token })
  const secureInfo = await answer(endpoints.secureInfo.path, { token })
  const store: EarlierStore = {
    version: process.argv[3] ?? 'unreleased',
    masterKey,
    now: service.clock.now(),
    appId: app.id,
    client: service.credentials,
    revokedClient,
    token,
    validated,
    secureInfo,
    revokedToken,
    reports,
    device: {
      facts,
      headers,
      deviceId: String(reports.at(-1)!.answer.deviceId),
      deviceToken: deviceToken!,
      privateKey: key ? privateKey.export({ format: 'jwk' }) : null,
      userId,
      isKnown: listed.status === 200 && listed.body.devices.length === 1,
    },
    tables: {},
  }
  for (const end of ends.splice(0, ends.length - 1)) await end()
  await database.close()
  process.stdout.write(
    `${JSON.stringify({ ...store, tables: tablesOf(join(folder, 'ringfence.sqlite')) }, undefined, 1)}\n`,
  )
} finally {
  for (const end of ends) await end()
}

/** All rows; a table that others refer to comes first. */
function tablesOf(file: string): EarlierStore['tables'] {
  const database = new DatabaseSync(file, { readOnly: true })
  const names = database.prepare("select name from sqlite_schema where type = 'table' order by rowid").all()
  const rows = names.map(({ name }) => [name, database.prepare(`select * from ${name}`).all()] as const)
  database.close()
  return Object.fromEntries(
    rows
      .filter(([, of]) => of.length > 0)
      .map(([name, of]) => [name, of.map((row) => Object.fromEntries(Object.entries(row).map(asStored)))]),
  )
}

function asStored([column, value]: [string, unknown]): [string, StoredValue] {
  return [column, value instanceof Uint8Array ? { hex: Buffer.from(value).toString('hex') } : (value as StoredValue)]
}
