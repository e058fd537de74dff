// Detects settings that make a browser reveal less of the device.

import { flag } from '../../core/path-types.ts'
import { engineOf } from '../analysis/engine.ts'
import type { Evidence } from '../analysis/evidence.ts'
import { combined } from '../scores/combine.ts'
import { holding, textsOf } from './reasons.ts'
import { type Finding, resultOf, signal } from './signal.ts'
import type { FlagResult } from './verdicts.ts'

/** Firefox with resistFingerprinting, Tor Browser, Brave Shields, and the noise that Safari can add. */
export const privacySettings = signal({
  name: 'privacySettings',
  question: 'Is the browser set to reveal less of the device than usual?',
  version: 1,
  platforms: ['WEB'],
  judge(evidence): Finding<FlagResult> | undefined {
    const { pageCanvasExact, canvas, clientHints } = evidence.facts
    if (pageCanvasExact === undefined && canvas === undefined) return undefined
    const engine = engineOf(evidence)
    const isNoisy = pageCanvasExact === false || canvas?.isExact === false || canvas?.isStable === false
    const reasons = holding([
      [engine === 'firefox' && resistsFingerprinting(evidence), 0.9, 'resistFingerprinting in Firefox'],
      [engine === 'webkit' && isNoisy, 0.6, 'noise on the canvas in WebKit'],
      [isNoisy && Boolean(clientHints?.brands?.some(({ brand }) => brand === 'Brave')), 0.9, 'Brave Shields'],
    ])
    return { verdict: { result: combined(reasons) > 0.5 }, reasons: textsOf(reasons) }
  },
  weights: {
    privacySettings: {
      fires: resultOf,
      session: 0.15,
      because: 'the browser is set to reveal less of the device than usual',
      suspect: { WEB: 6 },
    },
  },
  secureInfo: {
    returnedBy: 'both',
    unknown: { result: false },
    rules: {
      privacySettings: {
        type: flag('Privacy settings that hide the browser'),
        value: resultOf,
        read: ({ signals }) => signals?.privacySettings,
      },
    },
  },
})

/**
 * True with two of its effects: noise on the canvas, a hidden graphics name, the time zone of Reykjavík (UTC all year), and a screen
 * of the size of the page. Firefox also blurs canvases without it, but returns plain colours exactly.
 */
export function resistsFingerprinting({ facts }: Evidence): boolean {
  const { pageCanvasExact, webgl, timezone, screen, windowGeometry } = facts
  const signs = [
    pageCanvasExact === false,
    webgl?.renderer === 'Mozilla',
    timezone === 'Atlantic/Reykjavik',
    screen !== undefined &&
      windowGeometry !== undefined &&
      screen.height === windowGeometry.innerHeight &&
      windowGeometry.outerHeight === windowGeometry.innerHeight,
  ]
  return signs.filter(Boolean).length >= 2
}
