import assert from 'node:assert/strict'
import { chmod, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { adminClient } from '@ringfence/server/admin/testing.ts'
import { eachDatabase, sqliteDatabases } from '@ringfence/server/testing/databases.ts'
import { freePorts } from '@ringfence/server/testing/free-ports.ts'
import { startTestService, type TestService } from '@ringfence/server/testing/test-service.ts'
import { assertFailed, type CommandLine, commandLine, type Ending } from '../testing.ts'

const list = { kind: 'phoneNumber', purpose: 'block' }

/** A key of a role, as `ringfence clients create --json` prints it. */
async function keyOf({ parts: needs, tenantId }: TestService, role: string | null) {
  const restrictions = { scopes: 'admin', allowedIps: null, expiresAt: null, role }
  return needs.clients.createClient(tenantId, 'cli', restrictions)
}

async function keyFile({ folder }: CommandLine, key: object, mode = 0o600): Promise<string> {
  const file = join(folder, 'key.json')
  await writeFile(file, JSON.stringify(key))
  await chmod(file, mode)
  return file
}

/** Another program in the place of the service. */
async function serverThat(t: Ending, answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const env = { RINGFENCE_CLIENT_ID: 'rfc_x', RINGFENCE_CLIENT_SECRET: 'rfs_x' }

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  test(it('any call of the admin API is a command, with a key from a file or the environment'), async (t) => {
    const service = await startTestService(t, await open(t))
    const command = await commandLine(t)
    const key = await keyOf(service, 'analyst')
    const file = await keyFile(command, key)
    const admin = (...words: string[]) => command.run(['admin', ...words, '--server', service.url, '--key', file])
    const me = await admin('me', '--json')
    assert.deepEqual([me.stderr, JSON.parse(me.stdout).role], ['', 'analyst'])
    const others = {
      RINGFENCE_URL: service.url,
      RINGFENCE_CLIENT_ID: key.clientId,
      RINGFENCE_CLIENT_SECRET: key.clientSecret,
    }
    assert.equal(JSON.parse((await command.run(['admin', 'me'], { env: others })).stdout).clientId, key.clientId)

    assert.equal((await admin('createList', 'name=mules', 'kind=phoneNumber', 'purpose=block')).code, 0)
    const entries = 'entries=[{"value":"917020141726"},{"value":"917020141727"}]'
    assert.equal((await admin('addListEntries', 'name=mules', entries)).stderr, '')
    const all = await admin('readList', 'name=mules', 'limit=1', '--all')
    assert.deepEqual(
      all.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).value)
        .toSorted(),
      ['917020141726', '917020141727'],
    )
    assertFailed(await admin('createList', 'name=mules', 'kind=phoneNumber', 'purpose=block'), /\(409 70032, request /)
  })

  test(it('the audit log is read, verified and exported from another machine as on the server'), async (t) => {
    const service = await startTestService(t, await open(t))
    const change = await adminClient(service, 'admin')
    for (const name of ['a', 'b', 'c']) await change('createList', { ...list, name })
    const command = await commandLine(t)
    const file = await keyFile(command, await keyOf(service, 'admin'))
    const audit = (...words: string[]) => command.run(['audit', ...words, '--server', service.url, '--key', file])
    const [newest] = JSON.parse((await audit('list', '--limit', '2', '--json')).stdout)
    assert.deepEqual([newest.number, newest.action, newest.details.sent.name], [3, 'createList', 'c'])
    assert.match((await audit('list')).stdout, /^NUMBER +WHEN[^\n]+\n3 /)
    assert.match((await audit('verify')).stdout, /^The audit log is intact: 3 lines, head [0-9a-f]{64}\./)
    const exported = (await audit('export')).stdout.trim().split('\n')
    assert.deepEqual(
      exported.map((line) => JSON.parse(line).number),
      [1, 2, 3],
    )
    await service.parts.database.query("update audit_line set actor = 'person:x' where number = 2")
    assertFailed(await audit('verify'), /the audit log was changed: line 2/)
  })

  test(it('a person is exported and erased from another machine'), async (t) => {
    const service = await startTestService(t, await open(t))
    await service.post('/v1/decisions', { action: 'LOGIN', userId: 'u-1001' })
    const command = await commandLine(t)
    const file = await keyFile(command, await keyOf(service, 'support'))
    const privacy = (...words: string[]) => command.run(['privacy', ...words, '--server', service.url, '--key', file])
    const subject = ['--kind', 'userId', 'u-1001']
    assertFailed(await privacy('export', ...subject), /--reason is missing/, 2)
    const reason = ['--reason', 'Ticket 4711']
    const exported = (await privacy('export', ...subject, ...reason)).stdout
    assert.match(exported, /"kind":"decision"/)
    const receipt = JSON.parse((await privacy('erase', ...subject, ...reason, '--json')).stdout)
    assert.equal(receipt.reason, 'Ticket 4711')
    assert.deepEqual(JSON.parse((await privacy('receipts', '--json')).stdout), [receipt])
    assert.doesNotMatch((await privacy('export', ...subject, ...reason)).stdout, /"kind":"decision"/)
  })
})

test('says which permission a role lacks, that a key is wrong, and that a server is not there', async (t) => {
  const service = await startTestService(t, await sqliteDatabases.open(t))
  const command = await commandLine(t)
  const viewer = await keyFile(command, await keyOf(service, 'viewer'))
  const admin = (server: string, ...words: string[]) => command.run(['admin', ...words, '--server', server], { env })
  const asViewer = await command.run(['admin', 'listAudit', '--server', service.url, '--key', viewer])
  assertFailed(asViewer, /viewer lacks audit\.read.*\(403 permission-missing, request /, 3)
  assertFailed(await admin(service.url, 'me'), /\(401 credentials-invalid, request /, 3)
  const withoutRole = await keyFile(command, await keyOf(service, null))
  assertFailed(await command.run(['admin', 'me', '--server', service.url, '--key', withoutRole]), /it has no role/, 3)
  const [unused] = await freePorts(1)
  assertFailed(await admin(`http://127.0.0.1:${unused}`, 'me'), /was not reached \(ECONNREFUSED\): check the URL/, 4)
})

test('says that a server is older, is no Ringfence, or leads elsewhere, and gives the key to nobody else', async (t) => {
  const command = await commandLine(t)
  const me = (server: string) => command.run(['admin', 'me', '--server', server], { env })
  const problem = {
    type: '/problems/not-found',
    title: 'Not Found',
    status: 404,
    detail: 'No such path',
    requestId: 'r-1',
  }
  const older = await serverThat(t, (_, response) => response.writeHead(404).end(JSON.stringify(problem)))
  assertFailed(await me(older), /has no GET \/admin\/v1\/me: it runs another version than this command/)
  const page = await serverThat(t, (_, response) => response.end('<h1>Welcome</h1>'))
  assertFailed(await me(page), /answered 200, and not as Ringfence does/)
  const received: string[] = []
  const other = await serverThat(t, ({ headers }, response) => {
    received.push(String(headers.clientsecret))
    response.end('{}')
  })
  const elsewhere = await serverThat(t, (_, response) => response.writeHead(307, { location: `${other}/x` }).end())
  assertFailed(await me(elsewhere), /redirects to http/)
  assert.deepEqual(received, [])
})

test('sends a change again with the same Idempotency-Key when no answer arrived', async (t) => {
  const command = await commandLine(t)
  const keys: unknown[] = []
  const server = await serverThat(t, (request, response) => {
    keys.push(request.headers['idempotency-key'])
    if (keys.length === 1) request.socket.destroy()
    else response.end('{"deleted":true}')
  })
  const done = await command.run(['admin', 'deleteList', 'name=mules', '--json', '--server', server], { env })
  assert.deepEqual([done.stdout, done.code], ['{"deleted":true}\n', 0])
  assert.equal(keys.length, 2)
  assert.match(String(keys[0]), /^[0-9a-f-]{36}$/)
  assert.equal(keys[0], keys[1])
})

test('refuses a key that others could see, on the line, in a URL, in a file or on the wire', async (t) => {
  const command = await commandLine(t)
  const run = (...words: string[]) => command.run(['admin', ...words], { env })
  for (const [server, why] of [
    ['http://fraud.example.com', /must begin with https/],
    ['http://127.0.0.1.example.com', /must begin with https/],
    ['https://key:secret@fraud.example.com', /must not contain a user or password/],
    ['ftp://localhost', /must be a URL/],
    ['fraud.example.com', /must be a URL/],
  ] as const)
    assertFailed(await run('me', '--server', server), why, 2)
  assertFailed(await run('me', '--client-secret', 'x'), /unknown option/, 2)
  const open = await keyFile(command, { clientId: 'a', clientSecret: 'b' }, 0o644)
  assertFailed(await run('me', '--key', open), /is open to other users of this machine: chmod 600/)
  assertFailed(await run('me', '--key', await keyFile(command, { clientId: 'a' })), /has no key/)
  assertFailed(await run('me', '--key', 'nowhere.json'), /nowhere\.json cannot be read/)
  assertFailed(await command.run(['admin', 'me', '--server', 'http://localhost:1']), /no key: set RINGFENCE_CLIENT_ID/)
  assertFailed(await command.run(['audit', 'list', '--key', 'key.json']), /--key is for --server/, 2)
})

test('names a wrong call or field before it calls', async (t) => {
  const command = await commandLine(t)
  const run = (...words: string[]) => command.run(['admin', ...words, '--server', 'http://127.0.0.1:1'], { env })
  assertFailed(await run('audit'), /there is no call audit; did you mean listAudit, exportAudit, verifyAudit\?/, 2)
  assertFailed(await run('signIn'), /there is no call signIn/, 2)
  assertFailed(await run('createList', 'colour=red'), /there is no field colour; fields: name, kind/, 2)
  assertFailed(await run('createList', 'name'), /name is no field: write name=value/, 2)
  assertFailed(await run('createList', 'name=x'), /fields are missing: kind, purpose/, 2)
  assertFailed(await run('listAudit', 'limit=many'), /limit must be a number/, 2)
  assertFailed(await run('addListEntries', 'name=x', 'entries=[{'), /entries must be JSON/, 2)
  const calls = (await command.run(['admin'])).stdout
  assert.match(calls, /^searchEvents +decisions\.read +/m)
  assert.doesNotMatch(calls, /^signIn /m)
})
