// How does Playwright drive a Chromium, openly and in disguise?

import { type BrowserContextOptions, chromium, type LaunchOptions } from 'playwright-core'
import { addExtra } from 'playwright-extra'
import stealth from 'puppeteer-extra-plugin-stealth'
import type { Stage } from '../scenario.ts'

export interface PlaywrightOptions {
  readonly launch?: LaunchOptions
  readonly context?: BrowserContextOptions
  /** Runs in every page before its own scripts. */
  readonly disguise?: () => void
  /** With the plug-in that hides automation. */
  readonly isStealthy?: boolean
}

/** Opens a page in this machine's Chromium; with the stealth plug-in where `isStealthy`. */
export async function openByPlaywright(
  { launch = {}, context = {}, disguise, isStealthy }: PlaywrightOptions,
  url: string,
  { display, after }: Stage,
): Promise<void> {
  const launcher = isStealthy ? addExtra(chromium).use(stealth()) : chromium
  const browser = await launcher.launch({
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
