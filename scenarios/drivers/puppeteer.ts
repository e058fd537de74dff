// How does Puppeteer drive a Chromium?

import puppeteer, { type LaunchOptions } from 'puppeteer-core'
import type { Stage } from '../scenario.ts'

export async function openByPuppeteer(
  options: LaunchOptions,
  url: string,
  { display, folder, after }: Stage,
): Promise<void> {
  const browser = await puppeteer.launch({
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
