// Did a person start the browser that a program controls?

import type { Evidence } from '../../analysis/evidence.ts'
import { atLeast, type Known, type Row } from '../reasons.ts'
import { incognito } from './incognito.ts'

/** The category of a program that does not say what it is for. The texts are shown in the reference and in reasons. */
export const botControls = {
  browserAgent: 'a program controls a browser that a person started, as AI agents in an extension do',
  automation: 'a program started the browser, or calls without one',
} as const
export type BotControl = keyof typeof botControls

/** The views of a page that Puppeteer and Playwright make unless they are told otherwise. */
const defaultViews = ['800 × 600', '1280 × 720']

/**
 * A program started it if anything beside its listener shows one: it says so, nobody sits in front of it, or it has a context of
 * a driver. `undefined` when facts are missing that could show it.
 */
export function controlOf(evidence: Evidence, startedBy: readonly Row[]): BotControl | undefined {
  const isStarted = atLeast(1, [...startedBy.map(([holds]) => holds), ...ofDriver(evidence)])
  return isStarted === undefined ? undefined : isStarted ? 'automation' : 'browserAgent'
}

/** Drivers open each page in a private context of its own, with a view of a fixed size. */
function ofDriver(evidence: Evidence): Known[] {
  const { innerWidth, innerHeight } = evidence.facts.windowGeometry ?? {}
  return [incognito.judge(evidence)?.verdict === true, defaultViews.includes(`${innerWidth} × ${innerHeight}`)]
}
