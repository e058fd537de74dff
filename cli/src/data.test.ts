import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { signingAgent } from '@ringfence/server/bots/testing/signing-agent.ts'
import { encodeAddressLists } from '@ringfence/server/ip/lists/address-lists.ts'
import { addressListFile } from '@ringfence/server/ip/lists/update-lists.ts'
import { mmdbBytes } from '@ringfence/server/ip/testing/mmdb-writer.ts'
import { assertFailed, commandLine } from './testing.ts'

/** Without it, the command fetches the keys of the default agents and the status list of Google. */
const noAgents = 'signatureAgents: {}\nattestation: { revocationLists: {} }\n'

test('data status shows source, date and licence of each file, and marks starter data', async (t) => {
  const { run } = await commandLine(t)
  const [readable, json] = await Promise.all([run(['data', 'status']), run(['data', 'status', '--json'])])
  assert.equal(readable.code, 0, readable.stderr)
  assert.match(readable.stdout, /^DATA +SOURCE +DATED +AGE +SIZE +RANGES +LICENCE +FILE\n/)
  assert.match(
    readable.stdout,
    /\nplace +@ip-location-db\/dbip-city-mmdb \S+ \(starter data\) +20\d\d-\d\d-\d\d +\d+ days? +\d+\.\d MB +CC BY 4\.0 +\S+ipv4\.mmdb\n/,
  )
  assert.match(
    readable.stdout,
    /\nnetwork operator +@ip-location-db\/asn \S+ \(starter data\) .* [\d,]{7} +CC BY 4\.0 /,
  )
  assert.match(readable.stdout, /IP Geolocation by DB-IP: https:\/\/db-ip\.com\n/)
  assert.match(readable.stdout, /Starter data comes with the installation\..*IP_CITY_FILES/s)

  const { files, lists } = JSON.parse(json.stdout)
  assert.deepEqual(lists, [])
  assert.match(readable.stdout, /There are no lists of Tor exits.*ringfence data update/)
  assert.deepEqual(
    files.map(({ kind, starter }: { kind: string; starter: boolean }) => [kind, starter]),
    [
      ['city', true],
      ['city', true],
      ['asn', true],
    ],
  )
  for (const { dated } of files) assert.ok(Date.parse(dated) > Date.parse('2026-01-01'), dated)
})

test('shows configured files by their own names, and refuses a truncated file', async (t) => {
  const { folder, run } = await commandLine(t)
  const bytes = mmdbBytes({
    databaseType: 'GeoLite2-City',
    builtAt: new Date('2026-11-01T00:00:00Z'),
    networks: { '8.8.8.0/24': { country: { iso_code: 'US' } } },
  })
  await writeFile(join(folder, 'own.mmdb'), bytes)
  await writeFile(join(folder, 'short.mmdb'), bytes.subarray(0, 100))
  const env = { IP_CITY_FILES: 'own.mmdb', IP_ASN_FILES: 'own.mmdb' }
  const [own, short] = await Promise.all([
    run(['data', 'status'], { env }),
    run(['data', 'status'], { env: { IP_CITY_FILES: 'short.mmdb' } }),
  ])
  assert.equal(own.code, 0, own.stderr)
  assert.match(own.stdout, /\nplace +GeoLite2-City +2026-11-01 .* GeoLite2 EULA +own\.mmdb\n/)
  assert.match(own.stdout, /GeoLite2 EULA: https:\/\/www\.maxmind\.com\//)
  assert.doesNotMatch(own.stdout, /tarter|DB-IP/)
  assertFailed(short, /^ringfence: short\.mmdb has no MMDB metadata at its end.*Fetch it again, or unset IP_CITY_FILES/)
})

test('data update fetches the configured lists, and reports a failed one with exit code 1', async (t) => {
  const { folder, run } = await commandLine(t)
  await writeFile(join(folder, 'exits.txt'), '8.8.8.8\n2001:4860::/32\n')
  const exits = `{ kind: tor, url: 'file://${folder}/exits.txt', licence: ours }`
  await writeFile(join(folder, 'ringfence.yaml'), `${noAgents}ipLists:\n  exits: ${exits}\n`)
  const updated = await run(['data', 'update'])
  assert.equal(updated.code, 0, updated.stderr)
  assert.match(updated.stdout, /\nexits +tor +updated +2\b/)
  const status = await run(['data', 'status'])
  assert.match(status.stdout, /\nexits +tor +20\S+ \S+ UTC +0 days +2 +in use +ours +file:/)

  await writeFile(
    join(folder, 'ringfence.yaml'),
    `ipLists:\n  exits: ${exits}\n  more: ${exits.replace('tor', 'abuse')}\n`,
  )
  const more = await run(['data', 'status'])
  assert.match(more.stdout, /\nmore +abuse +missing +ours +file:/, 'a list that was never fetched is shown too')
  await writeFile(join(folder, 'ringfence.yaml'), `${noAgents}ipLists:\n  exits: ${exits}\n`)

  await writeFile(join(folder, 'exits.txt'), 'moved to another place\n')
  const failed = await run(['data', 'update', '--json'])
  assert.equal(failed.code, 1)
  assert.deepEqual(JSON.parse(failed.stdout), [
    { name: 'exits', outcome: 'kept', entries: 2, reason: 'it names no IP address' },
  ])
  await writeFile(join(folder, 'ringfence.yaml'), 'ipLists:\n  exits: { kind: tor, url: ftp://example.org }\n')
  assertFailed(await run(['data', 'update']), /ipLists.*exits.*url/)
  await writeFile(join(folder, 'ringfence.yaml'), `ipLists:\n  exits: ${exits.replace('tor', 'crawler')}\n`)
  assertFailed(
    await run(['data', 'update']),
    /ipLists\.exits: a list of the kind crawler must have the key crawler, and no other kind may have it/,
  )
})

test('data update says in one line why a list cannot be used, whatever the publisher sent', async (t) => {
  const { folder, run } = await commandLine(t)
  await writeFile(join(folder, 'revoked.json'), '{\n\u001b[2J oops\n}')
  const lists = `{ own: { url: 'file://${folder}/revoked.json' } }`
  await writeFile(
    join(folder, 'ringfence.yaml'),
    `ipLists: {}\nsignatureAgents: {}\nattestation: { revocationLists: ${lists} }\n`,
  )
  const { code, stdout } = await run(['data', 'update'])
  assert.equal(code, 1)
  assert.match(stdout, /^NAME[^\n]+\nown +revocations +missing +0 +[^\n]*JSON[^\n]*\n$/)
  assert.doesNotMatch(stdout, /\n.*\p{Cc}.*\n/u)
})

test('data status marks a list that is too old, and a damaged file with the reason', async (t) => {
  const { folder, run } = await commandLine(t)
  const path = addressListFile(join(folder, 'ringfence-data'))
  await mkdir(dirname(path), { recursive: true })
  const day = 86_400_000
  const list = (name: string, kind: 'tor' | 'relay', ageMs: number) =>
    ({ name, kind, datedMs: Date.now() - ageMs, entries: 1, ranges: [{ family: 4, first: 1n, last: 1n }] }) as const
  const bytes = encodeAddressLists([
    list('old', 'tor', 2 * day),
    list('new', 'tor', 0),
    list('relays', 'relay', 9 * day),
    list('in two days', 'relay', -2 * day),
  ])
  await writeFile(path, bytes)
  const { lists } = JSON.parse((await run(['data', 'status', '--json'])).stdout)
  assert.deepEqual(
    lists.map(({ name, state }: { name: string; state: string }) => [name, state]),
    [
      ['old', 'too old'],
      ['new', 'in use'],
      ['relays', 'in use'],
      ['in two days', 'too old'],
    ],
  )
  await writeFile(path, bytes.subarray(0, bytes.length - 1))
  const damaged = await run(['data', 'status'])
  assert.equal(damaged.code, 1)
  assert.match(
    damaged.stdout,
    /\nplace +@ip-location-db.*\nRefused: \S+anonymity\.bin is truncated .*Run "npx ringfence data update"/s,
  )
})

test('data update fetches the configured files, and data status shows them instead of the starter data', async (t) => {
  const { folder, run } = await commandLine(t)
  const networks = { '80.0.0.0/6': { country: { iso_code: 'GB' } } }
  const builtAt = new Date('2026-11-01T00:00:00Z')
  await writeFile(join(folder, 'city.mmdb'), mmdbBytes({ databaseType: 'DBIP-City-Lite', builtAt, networks }))
  await writeFile(join(folder, 'exits.txt'), '8.8.8.8\n')
  const lists = `${noAgents}ipLists:\n  exits: { kind: tor, url: 'file://${folder}/exits.txt' }\n`
  const files = `ipFiles:\n  places: { kind: city, url: 'file://${folder}/city.mmdb' }\n`
  await writeFile(join(folder, 'ringfence.yaml'), lists + files)
  const updated = await run(['data', 'update'])
  assert.equal(updated.code, 0, updated.stderr)
  assert.match(updated.stdout, /\nexits +tor +updated +1\b.*\nplaces +city +updated +0 MB/s)
  const status = await run(['data', 'status'])
  assert.match(status.stdout, /\nplace +DBIP-City-Lite +2026-11-01 .* CC BY 4\.0 +\S+ip-files\/city-places\.mmdb\n/)
  await writeFile(join(folder, 'city.mmdb'), 'moved')
  const failed = await run(['data', 'update', '--json'])
  assert.equal(failed.code, 1)
  assert.match(JSON.parse(failed.stdout)[1].reason, /^it has no MMDB metadata at its end/)
})

test('data update fetches the keys of agents, and data status shows them', async (t) => {
  const { folder, run } = await commandLine(t)
  const { jwk, keyid } = await signingAgent()
  await writeFile(join(folder, 'keys.json'), JSON.stringify({ keys: [jwk] }))
  await writeFile(join(folder, 'exits.txt'), '8.8.8.8\n')
  const agent = `{ name: Example-Agent, operator: Example, category: aiAgent, url: 'file://${folder}/keys.json'`
  const configure = (agents: string) =>
    writeFile(
      join(folder, 'ringfence.yaml'),
      `ipLists:\n  exits: { kind: tor, url: 'file://${folder}/exits.txt' }\nattestation: { revocationLists: {} }\nsignatureAgents:\n${agents}`,
    )
  await configure(`  example: ${agent}, agent: 'https://agent.example' }\n`)
  assert.match((await run(['data', 'status'])).stdout, /no keys of agents.*ringfence data update/)
  const updated = await run(['data', 'update'])
  assert.equal(updated.code, 0, updated.stderr)
  assert.match(updated.stdout, /\nexample +agent +updated +1 key\n/)
  const status = await run(['data', 'status'])
  const directory = 'https://agent.example/.well-known/http-message-signatures-directory'
  assert.match(
    status.stdout,
    new RegExp(`\nexample +Example-Agent +Example +aiAgent +20\\S+ \\S+ UTC +1 +in use +${directory}\n`),
  )
  const { agents } = JSON.parse((await run(['data', 'status', '--json'])).stdout)
  assert.deepEqual(agents[0].keys, [keyid])

  await writeFile(join(folder, 'keys.json'), 'gone')
  const failed = await run(['data', 'update'])
  assert.equal(failed.code, 1)
  assert.match(failed.stdout, /\nexample +agent +kept +1 key +it is not valid JSON/)
  await writeFile(join(folder, 'ringfence-data', 'bots', 'signature-agents.json'), '{')
  const damaged = await run(['data', 'status'])
  assert.equal(damaged.code, 1)
  assert.match(damaged.stdout, /\nRefused: \S+signature-agents\.json is damaged\. Delete it/)

  await configure(`  example: ${agent} }\n`)
  assertFailed(
    await run(['data', 'update']),
    /signatureAgents\.example: the key agent is needed.*https:\/\/agent\.example/,
  )
})

test('data update fetches dated tables, keeps the previous one when it must, and data status and doctor show them', async (t) => {
  const { folder, run } = await commandLine(t)
  const source = join(folder, 'frozen.json')
  await writeFile(
    join(folder, 'ringfence.yaml'),
    `ipLists: {}\n${noAgents}dataTables:\n  frozenValues: { url: 'file://${source}' }\n`,
  )
  const { frozenValues } = await import('@ringfence/server/core/dated-data/frozen-values.ts')
  const asOf = new Date(Date.now()).toISOString().slice(0, 10)
  const ageInDays = () => Math.floor((Date.now() - Date.parse(asOf)) / 86_400_000)
  await writeFile(source, JSON.stringify({ ...frozenValues.shipped, asOf }))
  const updated = await run(['data', 'update'])
  assert.equal(updated.code, 0, updated.stderr)
  assert.match(updated.stdout, new RegExp(`frozenValues +table +updated +dated ${asOf}`))
  const status = (await run(['data', 'status'])).stdout
  // At midnight it is a day old.
  assert.match(status, new RegExp(`frozenValues +${asOf} +(0 days|${ageInDays()} days?) +fetched`))

  await writeFile(source, JSON.stringify({ ...frozenValues.shipped, asOf: '2020-01-01' }))
  const kept = await run(['data', 'update'])
  assert.equal(kept.code, 1)
  assert.match(kept.stdout, new RegExp(`kept +dated ${asOf} +it is dated 2020-01-01, and the one in use ${asOf}`))

  await writeFile(join(folder, 'ringfence-data', 'dated-data', 'frozenValues.json'), '{')
  const damaged = await run(['data', 'status'])
  assert.equal(damaged.code, 1)
  assert.match(damaged.stdout, /frozenValues .* of the release\. Refused: \S+frozenValues\.json is damaged/)
})

test('data update fetches status lists of Android certificates, and data status and doctor show them', async (t) => {
  const { folder, run } = await commandLine(t)
  const source = join(folder, 'status.json')
  await writeFile(
    join(folder, 'ringfence.yaml'),
    `ipLists: {}\nsignatureAgents: {}\nattestation:\n  revocationLists:\n    own: { url: 'file://${source}' }\n`,
  )
  assert.match((await run(['data', 'status'])).stdout, /no list of withdrawn certificates.*ringfence data update/)
  const entry = { status: 'REVOKED', reason: 'KEY_COMPROMISE', comment: 'leaked', expires: '2030-01-01' }
  await writeFile(source, JSON.stringify({ entries: { '00ABCD': entry, '6681152659205225093': entry, ff: entry } }))
  const updated = await run(['data', 'update'])
  assert.equal(updated.code, 0, updated.stderr)
  assert.match(updated.stdout, /\nown +revocations +updated +3\n/)
  assert.match(
    (await run(['data', 'status'])).stdout,
    /\nown +20\S+ \S+ UTC +0 days +3 +in use +file:\S+status\.json\n/,
  )
  const stored = join(folder, 'ringfence-data', 'attestation', 'revocation-lists.json')
  const { lists } = JSON.parse(await readFile(stored, 'utf8'))
  assert.deepEqual(lists[0].entries.abcd, { status: 'REVOKED', reason: 'KEY_COMPROMISE' })

  for (const [text, reason] of [
    ['<html>', /^it is not valid JSON/],
    ['{}', /^it is no status list: "entries" is missing or wrong$/],
    ['{"entries":{"xyz":{"status":"REVOKED"}}}', /^"xyz" is not a serial number in hex$/],
    ['{"entries":{}}', /^it has no entries$/],
    ['{"entries":{"ff":{"status":"REVOKED"}}}', /^it has 1 entries, and the one in use 3; --force accepts it$/],
  ] as const) {
    await writeFile(source, text)
    const kept = await run(['data', 'update', '--json'])
    assert.equal(kept.code, 1)
    const [{ reason: found, ...update }] = JSON.parse(kept.stdout)
    assert.deepEqual(update, { name: 'own', outcome: 'kept', entries: 3 })
    assert.match(found, reason)
  }
  assert.equal((await run(['data', 'update', '--force'])).code, 0)

  const old = Date.now() - 3 * 86_400_000
  await writeFile(stored, JSON.stringify({ version: 1, lists: [{ ...lists[0], datedMs: old }] }))
  assert.match((await run(['data', 'status'])).stdout, /\nown +20\S+ \S+ UTC +3 days +3 +stale /)
  await run(['init'])
  const { findings } = JSON.parse((await run(['doctor', '--json'])).stdout)
  const finding = findings.find(({ subject }: { subject: string }) => subject === 'revocations')
  assert.deepEqual([finding.state, finding.text], ['warning', '1, the oldest from 3 days ago'])
  const findingOn = async (state: object) => {
    await writeFile(stored, JSON.stringify({ version: 1, ...state }))
    const { findings: all } = JSON.parse((await run(['doctor', '--json'])).stdout)
    const { state: level, text } = all.find(({ subject }: { subject: string }) => subject === 'revocations')
    return [level, text]
  }
  const missing = 'missing: own; withdrawn certificates of Android phones are not all known'
  assert.deepEqual(await findingOn({ lists: [] }), ['warning', missing])
  assert.deepEqual(await findingOn({ lists: [{ ...lists[0], entries: {} }] }), ['warning', missing])
  const future = Date.now() + 86_400_000
  assert.deepEqual(await findingOn({ lists: [{ ...lists[0], datedMs: future }] }), [
    'warning',
    'dated in the future: own',
  ])
  await writeFile(stored, '{')
  const damaged = await run(['data', 'status'])
  assert.equal(damaged.code, 1)
  assert.match(damaged.stdout, /\nRefused: \S+revocation-lists\.json is damaged\. Delete it/)

  const config = join(folder, 'ringfence.yaml')
  const insecure = (await readFile(config, 'utf8')).replace(/url: '[^']+'/, "url: 'http://status.example'")
  await writeFile(config, insecure)
  assertFailed(await run(['data', 'update']), /attestation\.revocationLists\.own\.url/)
})
