// How does Puppeteer drive a Chromium?

import puppeteer, { type LaunchOptions } from 'puppeteer-core'
import { addExtra, type VanillaPuppeteer } from 'puppeteer-extra'
import stealth from 'puppeteer-extra-plugin-stealth'
import type { Stage } from '../scenario.ts'

/** Opens a page in this machine's Chromium; with the stealth plug-in where `isStealthy`. */
export async function openByPuppeteer(
  options: LaunchOptions,
  url: string,
  { display, folder, after }: Stage,
  { isStealthy = false } = {},
): Promise<void> {
  // The plug-in's types are those of an older Puppeteer; the methods that it calls are unchanged.
  const launcher = isStealthy ? addExtra(puppeteer as unknown as VanillaPuppeteer).use(stealth()) : puppeteer
  const browser = await (launcher as typeof puppeteer).launch({
    executablePath: '/usr/bin/chromium',
    env: { ...process.env, DISPLAY: display.name },
    userDataDir: `${folder}/profile`,
    ...options,
    args: ['--no-sandbox', '--disable-background-networking', ...(options.args ?? [])],
  })
  after(() => browser.close())
  const page = await browser.newPage()
  await page.goto(url)
}
