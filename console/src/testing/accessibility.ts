// Can everybody use a page? What axe finds of WCAG 2.2 AA that is serious.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { TestPage } from '../../../browser/src/testing/browser-tests.ts'

// Of the page; the folder of the tests has no DOM types.
declare const document: object
declare const axe: {
  run(
    where: object,
    options: object,
  ): Promise<{ violations: { id: string; impact: string; nodes: { target: unknown }[] }[] }>
}

/** For `prepare`, before the page is opened. */
export const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** @returns each rule that is broken, with where */
export const seriousFindings = (page: Pick<TestPage, 'evaluate'>): Promise<string[]> =>
  page.evaluate(async () => {
    const { violations } = await axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
    })
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id} ${nodes.map(({ target }) => JSON.stringify(target)).join(' ')}`)
  }, undefined)
