// Can somebody at one IP address guess without end, fill the disk, or lock out everybody else?

import { randomBytes } from 'node:crypto'
import { endpoints } from '@ringfence/contract'
import { sdkClient } from '../../../../server/src/testing/sdk-client.ts'
import type { Abuse, AbuseStage } from './abuse.ts'

const { path } = endpoints.portability
const number = { phoneNumber: '917020141726' }
const perMinute = 20
/** Beyond the limit, of one client; then its right secret is refused too (server/src/clients/live-secrets.ts). */
const guessesAtOneClient = 10
/** One address, and the addresses of one IPv6 network. */
const attackers = [() => '203.0.113.7', (index: number) => `2001:db8::${(index + 1).toString(16)}`]

const bruteForce: Abuse = {
  name: 'guesses at client credentials beyond the limit',
  options: () => ({ settings: { wrongCredentialsPerMinute: perMinute } }),
  async run({ service, refused, allowed }) {
    const { post, parts: needs, tenantId, credentials } = service
    const create = async () => ({ ...(await needs.clients.createClient(tenantId, 'never called')) })
    const [fresh, target] = [await create(), await create()]
    const before = (await post(path, number)).status
    allowed(before === 200, () => `the client is answered ${before}`)
    for (const addressOf of attackers) {
      for (let index = 0; index < 3 * perMinute; index++) {
        const clientId = index % 2 === 0 ? credentials.clientId : `rfc_${index}`
        const headers = { clientId, clientSecret: `rfs_${index}`, 'x-forwarded-for': addressOf(index) }
        const { status } = await post(path, number, headers)
        if (index < perMinute) continue
        refused(status === 429, () => `guess ${index + 1} in a minute is answered ${status}`)
      }
      const there = { 'x-forwarded-for': addressOf(9999) }
      for (let guess = 0; guess < guessesAtOneClient; guess++) {
        const { status } = await post(path, number, { ...target, clientSecret: `rfs_more_${guess}`, ...there })
        refused(status === 429, () => `a guess at a client beyond the limit is answered ${status}`)
      }
      const lucky = (await post(path, number, { ...target, ...there })).status
      refused(lucky === 429, () => `a right guess after ten at the same client is answered ${lucky}`)
      const right = (await post(path, number, { ...fresh, ...there })).status
      allowed(right === 200, () => `a client that nobody guesses at is answered ${right} behind the guesser`)
      service.clock.advance({ seconds: 2 })
      const known = (await post(path, number, there)).status
      allowed(known === 200, () => `a known client behind the address of the guesser is answered ${known}`)
    }
    const elsewhere = (await post(path, number, { ...fresh, 'x-forwarded-for': '203.0.113.8' })).status
    allowed(elsewhere === 200, () => `a new client at another address is answered ${elsewhere}`)
  },
}

const megabyte = 1_000_000
/** The attack itself needs hundreds of visits; a short run begins near its end. */
const leftInShortRun = 20_000

const storageFlood: Abuse = {
  name: 'filling the disk with visits from one network',
  options: () => ({ settings: { storageMbPerAddressDay: 1, storageMbPerAppDay: 10 } }),
  async run(stage) {
    const { parts: needs, app } = stage.service
    for (const addressOf of attackers) {
      if (!stage.full) {
        const spent = new Uint8Array(megabyte - leftInShortRun)
        needs.apps.storageBudget.take(app.id, addressOf(0), [{ sql: '', params: [spent] }])
      }
      const most = (stage.full ? megabyte : leftInShortRun) / 1000
      let stored = 0
      while (stored < most && (await storesFrom(stage, addressOf(stored)))) stored++
      stage.refused(stored < most, () => `${stored} visits of at least a kilobyte each are stored`)
      for (let again = 0; again < 3; again++) {
        const isStored = await storesFrom(stage, addressOf(1000 + again))
        stage.refused(!isStored, () => 'a visit is stored after the budget was spent')
      }
    }
    stage.allowed(await storesFrom(stage, '203.0.113.8'), () => 'a visit from another address')
  },
}

const countFlood: Abuse = {
  name: 'filling the disk with the counts of made-up recipients',
  options: () => ({
    app: { gate: { simSwap: { onFound: 'refuse' } } },
    settings: { messagesPerAddressHour: 4, newNumbersPerRangeHour: 2, newNumbersPerCountryHour: 6 },
  }),
  async run({ service, refused, allowed }) {
    const rows = async () => {
      const [row] = await service.parts.database.query<{ n: number }>('select count(*) as n from message_count')
      return row!.n
    }
    const startFrom = async (address: string, number: number) => {
      const identity = { type: 'MOBILE', value: String(number) }
      const headers = { 'x-forwarded-for': address }
      return (await service.client.post(endpoints.signInStart.path, { channel: 'OTP', identity }, headers)).status
    }
    // By the limits of one address, of a range, and of a country.
    for (const [limit, address, numberOf] of [
      ['address', () => '203.0.113.7', (i: number) => 917020140000 + i * 10_000],
      ['range', (i: number) => `203.0.113.${10 + i}`, (i: number) => 917120140000 + i],
      ['country', (i: number) => `198.51.100.${10 + i}`, (i: number) => 917220140000 + i * 10_000],
    ] as const) {
      let passed = 0
      for (let i = 0; i < 10; i++) if ((await startFrom(address(i), numberOf(i))) === 200) passed++
      allowed(passed > 0 || limit === 'country', () => `no start passes before the limit of the ${limit}`)
      const before = await rows()
      for (let i = 10; i < 30; i++) {
        // Of addresses that have a row already: a new one is a cost to the attacker.
        const status = await startFrom(address(i % 10), numberOf(i))
        refused(status === 429, () => `a start beyond the limit of the ${limit} is answered ${status}`)
      }
      const more = (await rows()) - before
      refused(more === 0, () => `20 starts that the limit of the ${limit} refuses leave ${more} rows`)
    }
  },
}

/** The store compresses an analysis. */
const incompressible = () => randomBytes(3000).toString('base64')

async function storesFrom({ service }: AbuseStage, address: string): Promise<boolean> {
  const client = await sdkClient(service, { app: service.app, headers: { 'x-forwarded-for': address } })
  const input = { additionalInput: { a: incompressible() } }
  const { status } = await client.post(endpoints.intelligence.path, client.engineBody(undefined, { updateInfo: input }))
  if (status !== 200 && status !== 429) throw new Error(`a visit is answered ${status}`)
  return status === 200
}

const metricsToken = randomBytes(16).toString('hex')

const floodWithoutCredentials: Abuse = {
  name: 'requests without credentials beyond the limit',
  options: () => ({ settings: { publicRatePerSecond: 2, metricsToken } }),
  async run({ service, refused, allowed }) {
    const statusOf = async (target: string, address: string) => {
      const headers = { 'x-forwarded-for': address, authorization: `Bearer ${metricsToken}` }
      const answer = await fetch(service.url + target, { headers })
      await answer.arrayBuffer()
      return answer.status
    }
    const targets = ['/sdk/browser.js', '/.well-known/jwks.json', '/docs', '/openapi.json']
    for (const addressOf of attackers) {
      for (let index = 0; index < 30; index++) {
        const target = targets[index % targets.length]!
        const status = await statusOf(target, addressOf(index))
        if (index >= 10) refused(status === 429, () => `request ${index + 1}, for ${target}, is answered ${status}`)
      }
    }
    for (const target of targets)
      allowed((await statusOf(target, '203.0.113.8')) === 200, () => `${target} at another address`)
    for (const target of ['/health', '/ready', '/metrics'])
      allowed((await statusOf(target, '203.0.113.7')) === 200, () => `${target} at the same address`)
  },
}

export const abuseOfLimits: readonly Abuse[] = [bruteForce, storageFlood, countFlood, floodWithoutCredentials]
