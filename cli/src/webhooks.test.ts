import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { rootCertificates } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { bodyOf } from '@ringfence/server/testing/body-of.ts'
import { eachDatabase } from '@ringfence/server/testing/databases.ts'
import { until } from '@ringfence/server/testing/until.ts'
import { assertFailed, commandLine, type Ending } from './testing.ts'

interface Received {
  headers: Record<string, string>
  body: string
  message: { type: string; id: string }
}

/** A receiver that refuses with a text for a terminal, until `accepts` is set. */
async function receiver(t: Ending) {
  const state = { received: [] as Received[], accepts: false, url: '' }
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request)
    state.received.push({ headers: request.headers as Record<string, string>, body, message: JSON.parse(body) })
    response.statusCode = state.accepts ? 200 : 500
    response.end('\u001b[31mred')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return state
}

eachDatabase(({ engine, place }) => {
  test(`adds, tests, pauses, resumes, replays and removes a webhook while a server runs (${engine})`, async (t) => {
    const receiving = await receiver(t)
    const changes = async () => receiving.received.filter(({ message }) => message.type === 'rules.changed').length
    const { run, serve } = await commandLine(t)
    const where: Record<string, string> = engine === 'postgres' ? { DATABASE_URL: await place(t) } : {}
    const env = { ...where, WEBHOOK_TARGETS: 'any' }
    await run(['init', '--tenant', 'shop'], { env })
    await serve([], { env })
    const json = async (...words: string[]) => {
      const { stdout, stderr, code } = await run(['webhooks', ...words, '--json'], { env })
      assert.equal(code, 0, stderr)
      return JSON.parse(stdout)
    }
    assertFailed(await run(['webhooks', 'add', receiving.url], { env: where }), /the URL must begin with https/)
    const { id, secret } = await json('add', receiving.url, '--types', 'rules.*')
    assert.match(secret, /^whsec_/)
    const { eventId } = await json('test', id)
    const attempts = await until(
      () => json('deliveries', id),
      (all) => all.length > 0,
    )
    const { result, status, type, eventId: attempted } = attempts[0]
    assert.deepEqual([result, status, type, attempted], ['refused', 500, 'webhook.test', eventId])
    const shown = (await run(['webhooks', 'deliveries', id], { env })).stdout
    assert.ok(shown.includes('refused 500') && !shown.includes('\u001b'), 'a receiver cannot control the terminal')

    await json('pause', id)
    assert.equal((await run(['rules', 'live', '0', '--by', 'maya'], { env })).code, 0)
    const [listed] = await json('list')
    assert.deepEqual([listed.state, listed.waiting], ['paused', 2])
    receiving.accepts = true
    await json('resume', id)
    await until(changes, (count) => count > 0)
    const before = await changes() // an event may come more than once
    const { events } = await json('replay', id, '--since', '1h')
    assert.equal(events, 1)
    await until(changes, (count) => count > before)
    assert.equal((await json('replay', id, '--event', eventId)).events, 1)
    assert.notEqual((await json('rotate', id)).secret, secret)
    assertFailed(await run(['webhooks', 'replay', id], { env }), /name --event ID or --since TIME/, 2)
    assertFailed(await run(['webhooks', 'replay', id, '--since', 'monday'], { env }), /must be like 30m, 2h, 3d or/, 2)
    assertFailed(await run(['webhooks', 'replay', id, '--event', 'x'], { env }), /there is no event x/)
    await json('remove', id)
    assertFailed(await run(['webhooks', 'show', id], { env }), /there is no webhook/)
    assert.match((await run(['webhooks', 'list'], { env })).stdout, /No webhook yet/)
  })
})

test('the commands and the code of docs/guides/events.md work in their order', async (t) => {
  const blocks = (language: string, page = 'guides/events.md') =>
    [
      ...readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8').matchAll(
        new RegExp(`\`\`\`${language}\\n([^\`]*)\`\`\``, 'g'),
      ),
    ].map(([, text]) => text!)
  const receiving = await receiver(t)
  receiving.accepts = true
  const { run, serve, folder } = await commandLine(t)
  const env = { WEBHOOK_TARGETS: 'any' }
  const [streams] = blocks('yaml', 'reference/event-streams.md')
  const configuration = streams!.replace('/var/log/ringfence', folder).replace('/etc/ringfence', folder)
  await writeFile(join(folder, 'ringfence.yaml'), configuration)
  await writeFile(join(folder, 'syslog-ca.pem'), rootCertificates[0]!)
  await run(['init', '--tenant', 'shop'])
  await serve([], { env })
  const commands = blocks('sh').flatMap((block) => block.match(/^npx ringfence .*$/gm) ?? [])
  const names = commands.map((line) => /^npx ringfence webhooks (\w+)/.exec(line)?.[1])
  assert.deepEqual(names, ['add', 'test', 'deliveries', 'resume', 'replay'])
  let added = { id: '', secret: '' }
  for (const [i, line] of commands.entries()) {
    const words = line
      .replace('npx ringfence ', '')
      .replace('https://shop.example/hooks', receiving.url)
      .replace(' --json > webhook.json', '')
      .replace('$WEBHOOK', added.id)
      .split(' ')
      .map((word) => word.replaceAll("'", ''))
    const { stdout, stderr, code } = await run(names[i] === 'add' ? [...words, '--json'] : words, { env })
    assert.equal(code, 0, `${line}: ${stderr}`)
    if (names[i] === 'add') added = JSON.parse(stdout)
  }
  await until(
    async () => receiving.received.length,
    (count) => count > 0,
  )
  assert.equal((await run(['rules', 'live', '0', '--by', 'maya'], { env })).code, 0)
  const lines = await until(
    () => readFile(join(folder, 'events.ndjson'), 'utf8').catch(() => ''),
    (text) => text.endsWith('\n'),
  )
  const { event, user } = JSON.parse(lines)
  assert.deepEqual([event.action, user.name], ['rules.changed', 'maya'], 'the command knows the stream too')
  const [code] = blocks('js')
  const { headers, body, message } = receiving.received[0]!
  const given = `const [body, request] = ${JSON.stringify([body, { headers }])}\n`
  const script = `${code!.replace('\n', `\n${given}`)}\nconsole.log(JSON.stringify(event))`
  const verify = (secret: string) =>
    promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      cwd: fileURLToPath(new URL('../../server', import.meta.url)),
      env: { ...process.env, WEBHOOK_SECRET: secret },
    })
  assert.deepEqual(JSON.parse((await verify(added.secret)).stdout), message)
  await assert.rejects(verify(`whsec_${Buffer.alloc(32).toString('base64')}`), /Not a valid delivery/)
})
