// Can a tenant read another tenant's data? Every endpoint, every kind of record, and every other tenant.

import { clientEndpoints, endpoints, sdkEndpoints, signInEndpoints } from '@ringfence/contract'
import { type LineChange, operators, type Route } from '@ringfence/sandbox'
import { listClients } from '../../server/src/clients/store/clients.ts'
import { postgresDatabases, sqliteDatabases, type TestDatabases } from '../../server/src/testing/databases.ts'
import { startTestService, type TestService } from '../../server/src/testing/test-service.ts'
import type { PromiseProgram, RunOptions } from './promise.ts'
import { ordinaryNumber } from './testbed/operator.ts'
import { batchRecords } from './testbed/tenants/batches.ts'
import { decisionRecords, reviewRecords } from './testbed/tenants/decisions.ts'
import { deviceRecords } from './testbed/tenants/devices.ts'
import { eventRecords } from './testbed/tenants/events.ts'
import { listRecords } from './testbed/tenants/lists.ts'
import { numberVerificationRecords } from './testbed/tenants/number-verifications.ts'
import type { RecordKind, Tenant } from './testbed/tenants/records.ts'
import { signInRecords } from './testbed/tenants/sign-ins.ts'
import { userRecords } from './testbed/tenants/users.ts'
import { watchRecords } from './testbed/tenants/watches.ts'

export const tenants: PromiseProgram = {
  name: 'tenants',
  promise: 'nobody reads another tenant: every endpoint × every tenant’s records × every other tenant, 0 leaks',
  async run(run) {
    let attempts = 0
    for (const databases of [sqliteDatabases, postgresDatabases]) {
      attempts += await readEachOther(databases, run.full ? 20 : 3, run)
    }
    for (const { path } of Object.values({ ...clientEndpoints, ...sdkEndpoints, ...signInEndpoints })) {
      run.unless(
        records.some((record) => record.endpoint === path),
        () => `no record of ${path} is tested: add a line to records`,
      )
    }
    return {
      figures: { 'kinds of records': records.length, 'attempts to read': attempts, leaks: run.complaints.count },
    }
  },
}

const { simSwapCheck, callForwardingCheck, portability, telecomChecks } = endpoints
const { validateToken, secureInfo, issueToken, revokeToken } = endpoints

/** Everything the service stores for a tenant. A new endpoint or record adds one line. */
const records: readonly RecordKind[] = [
  keptAnswer(simSwapCheck.path, (now) => ({ latestSimChange: new Date(now - 3_600_000).toISOString() })),
  keptAnswer(callForwardingCheck.path, () => ({ forwarding: ['unconditional'] })),
  sharedCall(simSwapCheck.path, '/sim-swap/v2/check'),
  sharedCall(callForwardingCheck.path, '/call-forwarding-signal/v0.4/unconditional-call-forwardings'),
  sharedCall(portability.path, '/portability/v1/numbers/{digits}'),
  sharedCall(telecomChecks.path, '/device-swap/v1/check', { checks: { deviceSwap: {} } }),
  ...watchRecords,
  ...batchRecords,
  ...numberVerificationRecords,
  ownToken(validateToken.path),
  ownToken(secureInfo.path),
  ownToken(revokeToken.path),
  { endpoint: issueToken.path, what: 'user of the same id', plant: plantUser },
  ...reviewRecords,
  ...decisionRecords,
  ...deviceRecords,
  ...eventRecords,
  ...listRecords,
  ...signInRecords,
  ...userRecords,
  { what: 'credentials', plant: plantCredentials },
  { what: 'list of clients', plant: plantClients },
  { what: 'row moved to another tenant', plant: plantMoved },
]

/** An answer stored for its owner. The truth has changed since, so whoever gets the stored answer gives itself away. */
function keptAnswer(endpoint: string, change: (now: number) => LineChange): RecordKind {
  return {
    endpoint,
    what: 'kept answer',
    async plant(owner, service) {
      const ask = (tenant: Tenant) =>
        service.post(endpoint, { phoneNumber: owner.phoneNumber }, { ...tenant.credentials })
      service.sandbox.lines.reset(owner.phoneNumber)
      const before = await kept(() => ask(owner))
      service.sandbox.lines.change(owner.phoneNumber, change(service.clock.now()))
      return async (other) => {
        const { body, headers } = await ask(other)
        const leaked = headers.has('age') || JSON.stringify(body) === before
        // The other tenant runs its own check; the answer stored for it must be gone before the next one's turn.
        service.clock.advance({ hours: 2 })
        service.sandbox.lines.reset(owner.phoneNumber)
        const again = await kept(() => ask(owner))
        service.sandbox.lines.change(owner.phoneNumber, change(service.clock.now()))
        if (again !== before) throw new Error(`the owner receives ${again}`)
        return leaked ? JSON.stringify(body) : undefined
      }
    },
  }
}

/** The body, once it comes from the store: the service stores answers after it has sent them. */
async function kept(ask: () => ReturnType<TestService['post']>): Promise<string> {
  for (;;) {
    const { headers, body } = await ask()
    if (headers.has('age')) return JSON.stringify(body)
  }
}

/** A call in flight for its owner must not be shared: the other tenant's question is a separate call. */
function sharedCall(endpoint: string, route: Route, more: object = {}): RecordKind {
  return {
    endpoint,
    what: 'call in flight',
    async plant(owner, service) {
      return async (other) => {
        service.clock.advance({ hours: 2 }) // every stored answer has expired
        service.sandbox.calls.clear()
        service.sandbox.faults.switchOn({ kind: 'slow', delayMs: 30, route })
        const body = { phoneNumber: owner.phoneNumber, ...more }
        await Promise.all([owner, other].map(({ credentials }) => service.post(endpoint, body, { ...credentials })))
        service.sandbox.faults.switchAllOff()
        const calls = service.sandbox.calls.last(100).filter(({ fault }) => fault === 'slow').length
        return calls === 2 ? undefined : `${calls} calls upstream for two tenants`
      }
    },
  }
}

const userOf = ({ phoneNumber }: Tenant) => ({
  userId: 'customer-1',
  identities: [
    { identityType: 'MOBILE', identityValue: phoneNumber, channel: 'OTP', methods: ['SMS'], verified: false },
  ],
})

/** Only the tenant that issued a token can use it, and an attempt by another tenant does not disturb that. */
function ownToken(endpoint: string): RecordKind {
  return {
    endpoint,
    what: 'token',
    async plant(owner, { post }) {
      return async (other) => {
        const { token } = (await post(issueToken.path, userOf(owner), { ...owner.credentials })).body
        const seen = await post(endpoint, { token }, { ...other.credentials })
        const { status } = await post(validateToken.path, { token }, { ...owner.credentials })
        if (status !== 200) return `the owner is answered ${status} afterwards`
        return seen.body.errorCode === '7114' ? undefined : JSON.stringify(seen.body)
      }
    },
  }
}

/** Two tenants may use the same user id; each token returns only its own tenant's user. */
async function plantUser(owner: Tenant, { post }: TestService) {
  await post(issueToken.path, userOf(owner), { ...owner.credentials })
  return async (other: Tenant) => {
    const { token } = (await post(issueToken.path, userOf(other), { ...other.credentials })).body
    const seen = JSON.stringify((await post(validateToken.path, { token }, { ...other.credentials })).body)
    if (!seen.includes(other.phoneNumber)) throw new Error(`its own token is answered ${seen}`)
    return seen.includes(owner.phoneNumber) ? seen : undefined
  }
}

async function plantCredentials(owner: Tenant, { post }: TestService) {
  return async (other: Tenant) => {
    const { clientId } = owner.credentials
    const { clientSecret } = other.credentials
    const { status } = await post(portability.path, { phoneNumber: '1' }, { clientId, clientSecret })
    return status === 401 ? undefined : `another tenant’s secret is answered ${status}`
  }
}

async function plantClients(owner: Tenant, { parts: needs }: TestService) {
  return async (other: Tenant) => {
    const seen = await listClients(needs.database, other.id)
    return seen.some(({ tenantId }) => tenantId === owner.id) ? JSON.stringify(seen) : undefined
  }
}

/** A row that somebody with database access moves to another tenant is unreadable there: it is sealed for its owner. */
async function plantMoved(owner: Tenant, service: TestService) {
  const { parts: needs, post } = service
  const question = { phoneNumber: owner.phoneNumber }
  await kept(() => post(simSwapCheck.path, question, { ...owner.credentials }))
  const hashOf = async ({ id }: Tenant) => (await needs.tenantKeyring.keysOf(id)).hash(owner.phoneNumber)
  return async (other: Tenant) => {
    const [ownHash, otherHash] = [await hashOf(owner), await hashOf(other)]
    if (Buffer.compare(ownHash, otherHash) === 0) return 'the same number has the same hash'
    await needs.database.query('delete from telecom_answer where tenant_id = $1', [other.id])
    await needs.database.query(
      `insert into telecom_answer (tenant_id, number_hash, question, sealed, answered_at, expires_at)
       select cast($1 as text), cast($2 as bytea), question, sealed, answered_at, expires_at
         from telecom_answer where tenant_id = $3 and number_hash = $4`,
      [other.id, otherHash, owner.id, ownHash],
    )
    const { headers, body } = await post(simSwapCheck.path, question, { ...other.credentials })
    await needs.database.query('delete from telecom_answer where tenant_id = $1', [other.id])
    return headers.has('age') ? JSON.stringify(body) : undefined
  }
}

async function readEachOther({ open, engine }: TestDatabases, count: number, run: RunOptions) {
  const service = await startTestService(run, await open(run), {
    settings: {
      simSwapReuseSeconds: 3600,
      callForwardingReuseSeconds: 3600,
      overloadDelayMs: 60_000,
      appRateBurst: 100_000,
      wrongCredentialsPerMinute: 100_000,
      messagesPerRecipientHour: 1000,
      messagesPerRecipientDay: 10_000,
      messagesPerAddressHour: 100_000,
    },
    edit: (parts) => ({ ...parts, channels: { sms: { type: 'outbox', recipient: 'MOBILE' } as { type: string } } }),
  })
  const all: Tenant[] = []
  for (let index = 0; index < count; index++) {
    const { id } = await service.parts.tenantKeyring.createTenant(`tenant ${index}`)
    const credentials = await service.parts.clients.createClient(id, 'client')
    const phoneNumber = ordinaryNumber(index)
    service.sandbox.lines.change(phoneNumber, { operator: operators[0]! })
    all.push({ id, credentials, phoneNumber })
  }
  let attempts = 0
  for (const { what, endpoint, plant } of records) {
    for (const owner of all) {
      const read = await plant(owner, service)
      for (const other of all) {
        if (other === owner) continue
        attempts++
        const seen = await read(other)
        run.unless(seen === undefined, () => `${engine}: ${what} ${endpoint ?? ''}: another tenant sees ${seen}`)
      }
    }
  }
  return attempts
}
