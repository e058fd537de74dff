// How does a test tool drive a browser? Over WebDriver (W3C), through the browser's driver, or over WebDriver BiDi.

import { freePorts } from '@ringfence/server/testing/free-ports.ts'
import { endGroup, startAsPerson } from '../display.ts'
import type { Stage } from '../scenario.ts'
import { speak, until } from './debugging-protocol.ts'

/** Opens `url` through a driver (chromedriver, WebKitWebDriver), then runs a script in the page, as tests do. */
export async function openByWebDriver(
  { command, capabilities }: { command: string; capabilities: object },
  url: string,
  { display, folder, after }: Stage,
): Promise<void> {
  const [port] = await freePorts(1)
  const driver = startAsPerson({ command, args: [`--port=${port}`], folder, display })
  after(() => endGroup(driver))
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    })
    return ((await answer.json()) as { value: Record<string, unknown> }).value
  }
  const { sessionId, message } = await until(() =>
    ask('POST', '/session', { capabilities: { alwaysMatch: capabilities } }),
  )
  if (!sessionId) throw new Error(`${command} opens no session: ${message}`)
  after(() => ask('DELETE', `/session/${sessionId}`))
  await ask('POST', `/session/${sessionId}/url`, { url })
  await ask('POST', `/session/${sessionId}/execute/sync`, { script: 'return document.title', args: [] })
}

/** Opens `url` in Firefox by WebDriver BiDi. */
export async function openByBidi(url: string, { display, folder, after }: Stage): Promise<void> {
  const [port] = await freePorts(1)
  const args = ['--no-remote', '--profile', folder, '--remote-debugging-port', String(port), 'about:blank']
  const browser = startAsPerson({ command: 'firefox', args, folder, display })
  after(() => endGroup(browser))
  const session = await until(() => speak(`ws://127.0.0.1:${port}/session`))
  after(session.close)
  await session.send('session.new', { capabilities: {} })
  const tree = (await session.send('browsingContext.getTree')) as { contexts: { context: string }[] }
  await session.send('browsingContext.navigate', { context: tree.contexts[0]!.context, url, wait: 'complete' })
}
