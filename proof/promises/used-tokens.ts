// Is a single-use token accepted only once, and never after its revocation? Two processes on one database race for each token.

import { endpoints, readSamples } from '@ringfence/contract'
import type { IssuedCredentials } from '../../server/src/clients/credentials.ts'
import type { TestDatabases } from '../../server/src/testing/databases.ts'
import { eachOf, type PromiseProgram, type RunOptions } from './promise.ts'
import { post } from './testbed/ledger.ts'
import { masterKey } from './testbed/operator.ts'
import { newClient, startServiceProcess } from './testbed/service-process.ts'
import { noParts, onEachEngine, storeOf } from './testbed/stores.ts'

const login = readSamples().IssueTokenRequest?.ordinary
const usesAtOnce = 6

export const usedTokens: PromiseProgram = {
  name: 'used-tokens',
  promise: 'a used token stays so: of uses at once in several processes one wins; after a revocation none does',
  async run(run) {
    return { figures: await onEachEngine((databases) => raced(databases, run)) }
  },
}

async function raced(databases: TestDatabases, run: RunOptions) {
  const { engine } = databases
  const store = await storeOf(databases, run)
  const settings = { ...store, masterKey, tokenUses: 'once', clientRatePerSecond: 1_000_000 } as const
  const start = () => startServiceProcess({ settings, parts: noParts, environment: {} }, run)
  // One after the other: the second step works on what the first one created.
  const processes = [await start(), await start()] as const
  const client = await newClient(processes[0], 'used')
  const urls = processes.map(({ url }) => url)
  const counts = { 'tokens raced for': 0, 'uses at the same time': 0, 'won by a revocation': 0 }

  await eachOf(Array.from({ length: run.full ? 5_000 : 40 }), 4, async () => {
    const used = await issueAt(urls[0]!, client)
    const outcomes = await useAtOnce(urls, client, used)
    const won = outcomes.filter((status) => status === 200).length
    run.unless(won === 1, () => `${engine}: ${won} of ${usesAtOnce} uses of one token were accepted`)

    const revoked = await issueAt(urls[1]!, client)
    const [uses] = await Promise.all([useAtOnce(urls, client, revoked), revokeAt(urls[1]!, client, revoked)])
    const accepted = uses.filter((status) => status === 200).length
    run.unless(accepted <= 1, () => `${engine}: ${accepted} uses were accepted beside a revocation`)
    if (accepted === 0) counts['won by a revocation']++

    // secure-info was not used yet: only the revocation refuses it.
    const late = await Promise.all(urls.map((url) => post(url, endpoints.secureInfo.path, client, { token: revoked })))
    run.unless(
      late.every(({ status }) => status === 400),
      () => `${engine}: a token was accepted after its revocation was answered`,
    )
    counts['tokens raced for'] += 2
    counts['uses at the same time'] += 2 * usesAtOnce
  })
  for (const process of processes) await process.stop()
  return counts
}

async function issueAt(url: string, client: IssuedCredentials): Promise<string> {
  const { text } = await post(url, endpoints.issueToken.path, client, login)
  return JSON.parse(text).token
}

async function revokeAt(url: string, client: IssuedCredentials, token: string): Promise<void> {
  const { status, text } = await post(url, endpoints.revokeToken.path, client, { token })
  if (status !== 200) throw new Error(`a token could not be revoked: ${text}`)
}

/** The statuses of several uses of one token, spread over the processes. */
function useAtOnce(urls: readonly string[], client: IssuedCredentials, token: string): Promise<number[]> {
  const use = async (_: unknown, i: number) =>
    (await post(urls[i % urls.length]!, endpoints.validateToken.path, client, { token })).status
  return Promise.all(Array.from({ length: usesAtOnce }, use))
}
