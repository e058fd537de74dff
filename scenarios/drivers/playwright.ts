// How does Playwright drive a Chromium, openly and in disguise?

import { type BrowserContextOptions, chromium, type LaunchOptions } from 'playwright-core'
import type { Stage } from '../scenario.ts'

export interface PlaywrightOptions {
  readonly launch?: LaunchOptions
  readonly context?: BrowserContextOptions
  /** Runs in every page before its own scripts. */
  readonly disguise?: () => void
}

export async function openByPlaywright(
  { launch = {}, context = {}, disguise }: PlaywrightOptions,
  url: string,
  { display, after }: Stage,
): Promise<void> {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    env: { ...process.env, DISPLAY: display.name } as Record<string, string>,
    ...launch,
    args: ['--no-sandbox', ...(launch.args ?? [])],
  })
  after(() => browser.close())
  const opened = await browser.newContext(context)
  if (disguise) await opened.addInitScript(disguise)
  const page = await opened.newPage()
  await page.goto(url)
}
