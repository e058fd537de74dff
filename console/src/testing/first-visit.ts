// What does a first visit load? Every byte that the browser's network log has, with headers and answers of the service.

import { consoleCookie } from '@ringfence/contract'
import type { Browser } from 'playwright-core'

interface Visitor {
  /** `http://localhost:8080`: browsers treat it as secure, so that the cookie of a session is sent. */
  readonly url: string
  readonly sessionToken: string
}

interface Visit {
  readonly bytes: number
  readonly paintMs: number
}

/** Of the page, where the function below runs. */
declare const performance: { getEntriesByName(name: string): { startTime: number }[] }

export const signedInContext = async (browser: Browser, { sessionToken }: Visitor) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } })
  await context.addCookies([
    { name: consoleCookie, value: sessionToken, domain: 'localhost', path: '/', secure: true, httpOnly: true },
  ])
  return context
}

/** With an empty cache. `view`: such as `/rules`; `/` is the overview. */
export async function firstVisit(browser: Browser, visitor: Visitor, view: string): Promise<Visit> {
  const context = await signedInContext(browser, visitor)
  try {
    const page = await context.newPage()
    const network = await context.newCDPSession(page)
    let bytes = 0
    network.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
    await network.send('Network.enable')
    await page.goto(`${visitor.url}/console${view === '/' ? '' : view}`, { waitUntil: 'networkidle' })
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    // The browser says when it painted after it has: on a busy machine later than the page is read.
    const paint = await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint')[0])
    return { bytes, paintMs: await paint.evaluate((entry) => entry!.startTime) }
  } finally {
    await context.close()
  }
}
