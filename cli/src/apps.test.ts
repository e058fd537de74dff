import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@ringfence/server/testing/until.ts'
import { assertFailed, commandLine } from './testing.ts'

test('creates, changes and disables apps while a server runs, which applies each change within a second or so', async (t) => {
  const { run, serve } = await commandLine(t)
  await run(['init', '--tenant', 'shop'])
  const { url } = await serve()
  const origin = 'https://shop.example'
  const create = ['apps', 'create', '--tenant', 'shop', '--name', 'web']
  const made = await run([...create, '--origin', `${origin}/`, '--origin', 'http://localhost:*', '--json'])
  const { appId, tenant } = JSON.parse(made.stdout)
  assert.match(appId, /^rfa_[0-9A-Za-z]{28}$/)
  assert.equal(tenant, 'shop')

  const statusOf = async (packageName: string, platform = 'WEB') => {
    const query = new URLSearchParams({ packageName, platform })
    return (await fetch(`${url}/sdk/v1/device-fingerprint/config?${query}`, { headers: { appId } })).status
  }
  assert.equal(await statusOf(origin), 200)
  assert.equal(await statusOf('http://localhost:5173'), 200)
  assert.equal(await statusOf('com.example.shop', 'IOS'), 401)

  const changes = ['--bundle-id', 'com.example.shop', '--set', 'secure=false', '--set', 'collect={"fonts":false}']
  assert.match(
    (await run(['apps', 'update', appId, ...changes])).stdout,
    /^Updated app rfa_\w+\. Running servers apply/,
  )
  await until(
    () => statusOf('com.example.shop', 'IOS'),
    (status) => status === 200,
  )
  assert.equal(await statusOf(origin), 200, 'the origins stay as they were')
  const misspelt = await run(['apps', 'update', appId, '--set', 'collect={"locatoin":false}'])
  assertFailed(misspelt, /--set: collect: there is no fact locatoin; did you mean location\?/)
  await run(['apps', 'update', appId, '--set', 'secure=', '--name', 'shop front'])
  const [shown, readable, list] = await Promise.all([
    run(['apps', 'show', appId, '--json']),
    run(['apps', 'show', appId]),
    run(['apps', 'list', '--tenant', 'shop']),
  ])
  const { settings, origins, bundleIds, name } = JSON.parse(shown.stdout)
  assert.deepEqual([settings.secure, settings.collect, name], [true, { fonts: false }, 'shop front'])
  const taken = /There is an app of this name: choose another one, or disable that app first/
  assertFailed(await run([...create, '--name', 'shop front', '--origin', origin]), taken)
  assert.deepEqual([origins, bundleIds], [[origin, 'http://localhost:*'], ['com.example.shop']])
  assert.match(readable.stdout, /Origins +https:\/\/shop\.example, http:\/\/localhost:\*\n/)
  assert.match(list.stdout, /^APP ID +TENANT +NAME +IDENTIFIED BY +CREATED +DISABLED\nrfa_\w+ +shop +shop front/)

  await run(['apps', 'disable', appId])
  await until(
    () => statusOf(origin),
    (status) => status === 401,
  )
  assert.ok(JSON.parse((await run(['apps', 'list', '--json'])).stdout)[0].disabledAt)
})

test('says what to do when an app is invalid, and creates nothing', async (t) => {
  const { run } = await commandLine(t)
  await run(['init', '--tenant', 'shop'])
  const create = ['apps', 'create', '--tenant', 'shop', '--name', 'web']
  const at = ['--origin', 'https://shop.example']
  assertFailed(
    await run(create),
    /needs at least one --origin, --bundle-id or --package-name; see npx ringfence apps create --help/,
    2,
  )
  assertFailed(await run([...create, '--origin', 'https://shop.example/login']), /It must be scheme, host and port/, 2)
  assertFailed(await run([...create, '--origin', '*']), /It must be scheme, host and port/, 2)
  assertFailed(await run([...create, '--bundle-id', 'com example']), /letters, digits, dots/, 2)
  for (const name of ['shop', 'com.example.', 'com.example-shop', '1.a', `a.${'a'.repeat(254)}`])
    assertFailed(await run([...create, '--package-name', name]), /such as com\.example\.shop|1 to 255 letters/, 2)
  assertFailed(
    await run([...create, ...at, '--set', 'androidCertificates=["A1:B2"]']),
    /--set: androidCertificates\.0 must match pattern .*: SHA-256 of a certificate in hex, A1:B2:… as apksigner/,
  )
  assertFailed(await run([...create, ...at, '--set', 'secure=maybe']), /--set: secure must be true or false/)
  assertFailed(await run([...create, ...at, '--set', 'gate={simSwap:1}']), /--set.*The value is not valid JSON: /, 2)
  assertFailed(
    await run([...create, ...at, '--set', 'secrue=true']),
    /--set: secrue is not a known key; did you mean secure\?/,
  )
  assertFailed(await run(['apps', 'create', '--tenant', 'x', '--name', 'web', ...at]), /tenant x does not exist/)
  assertFailed(await run(['apps', 'disable', 'rfa_x']), /app rfa_x does not exist: npx ringfence apps list shows all/)
  assert.match((await run(['apps', 'list'])).stdout, /^There are no apps\./)
})
