// Does the page of docs/guides/integrate.md sign a person up, in a real browser?

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { decisionCalls } from '@ringfence/server/decisions/testing.ts'
import type { WrittenRule } from '@ringfence/server/rules/rule-set.ts'
import { outboxChannels } from '@ringfence/server/sign-in/authentication/testing/sign-in-service.ts'
import { sqliteDatabases } from '@ringfence/server/testing/databases.ts'
import { freePorts } from '@ringfence/server/testing/free-ports.ts'
import { createApp } from '@ringfence/server/testing/sdk-client.ts'
import { startTestService } from '@ringfence/server/testing/test-service.ts'
import { until } from '@ringfence/server/testing/until.ts'
import { inEachBrowser, type TestPage } from '../../browser/src/testing/browser-tests.ts'
import { pageText } from './blocks.ts'

/** The part of the DOM that functions in the page use. */
declare const document: {
  querySelector(selector: string): {
    value: string
    textContent: string
    readonly form: { requestSubmit(): void }
  }
}

const root = join(import.meta.dirname, '../..')
const letsBrowsersIn: readonly WrittenRule[] = [
  { id: 'none', name: 'None', when: 'score > 99', action: 'BLOCK', score: 1 },
]

/** Writes the files of the page as its reader does. The last text of a file is the one that stays. */
async function writeFiles(folder: string): Promise<void> {
  for (const [, name = '', text = ''] of pageText('docs/guides/integrate.md').matchAll(
    /^cat > (\S+) <<'EOF'\n([\s\S]*?)^EOF$/gm,
  ))
    await writeFile(join(folder, name), text)
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await mkdir(join(folder, 'node_modules/@ringfence'), { recursive: true })
  await symlink(join(root, 'node'), join(folder, 'node_modules/@ringfence/node'))
}

async function startWallet(t: TestContext, rules?: readonly WrittenRule[]) {
  const service = await startTestService(t, await sqliteDatabases.open(t), {
    edit: (parts) => ({ ...parts, channels: outboxChannels }),
  })
  const app = await createApp(service, { origins: ['http://127.0.0.1:*'] })
  if (rules) await decisionCalls(service).publish(rules)
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-wallet-'))
  await writeFiles(folder)
  const [port] = await freePorts(1)
  const { clientId, clientSecret } = service.credentials
  const wallet = spawn(process.execPath, ['main.js'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      RINGFENCE_URL: service.url,
      RINGFENCE_APP_ID: app.id,
      RINGFENCE_CLIENT_ID: clientId,
      RINGFENCE_CLIENT_SECRET: clientSecret,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const ended = once(wallet, 'exit')
  t.after(async () => {
    wallet.kill('SIGKILL')
    await ended
    await rm(folder, { recursive: true })
  })
  const url = `http://127.0.0.1:${port}/`
  const answers = () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
  await until(answers, Boolean)
  const otp = () => /\b\d{6}\b/.exec(service.parts.signIn.outbox.messages().at(-1)?.text ?? '')?.[0] ?? ''
  return { url, otp }
}

/** Fills a field, submits its form with the first button, and resolves with the next notice. */
function submit(page: TestPage, field: string, value: string): Promise<string> {
  return page.evaluate(
    ({ field, value }) => {
      const input = document.querySelector(field)
      const notice = document.querySelector('#notice')
      input.value = value
      notice.textContent = ''
      input.form.requestSubmit()
      return new Promise<string>((resolve) => {
        const look = () => (notice.textContent === '' ? setTimeout(look, 20) : resolve(notice.textContent))
        look()
      })
    },
    { field, value },
  )
}

inEachBrowser((test) => {
  test('a person signs up with the code from the outbox, and pays', async (t, browser) => {
    const { url, otp } = await startWallet(t, letsBrowsersIn)
    const page = await browser.open(t)
    await page.goto(url)
    assert.equal(await submit(page, '[name=email]', 'asha@example.com'), 'A code is on its way.')
    assert.match(await submit(page, '[name=otp]', otp() === '000000' ? '111111' : '000000'), /code|OTP/i)
    assert.match(await submit(page, '[name=otp]', otp()), /"balance":2000/)
    assert.match(await submit(page, '[name=amount]', '20'), /"paid":20,"payee":"asha","balance":1980/)
  })

  test('the default rules refuse a driven browser, and the page shows why', async (t, browser) => {
    const { url, otp } = await startWallet(t)
    const page = await browser.open(t)
    await page.goto(url)
    await submit(page, '[name=email]', 'asha@example.com')
    assert.match(await submit(page, '[name=otp]', otp()), /could not confirm this device/)
  })
})
