// Has the person set the browser to tell less of the device than it is used to?

import { flag } from '../../rules/path-types.ts'
import { engineOf } from '../analysis/engine.ts'
import type { Evidence } from '../analysis/evidence.ts'
import { combined } from '../scores/combine.ts'
import { holding, textsOf } from './reasons.ts'
import { type Finding, resultOf, signal } from './signal.ts'
import type { FlagResult } from './verdicts.ts'

/** Firefox with resistFingerprinting, Tor Browser, Brave's shields, and the noise that Safari can add. */
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
      [engine === 'firefox' && resistsFingerprinting(evidence), 0.9, 'resistFingerprinting of Firefox'],
      [engine === 'webkit' && isNoisy, 0.6, 'noise on the canvas of WebKit'],
      [isNoisy && Boolean(clientHints?.brands?.some(({ brand }) => brand === 'Brave')), 0.9, 'shields of Brave'],
    ])
    return { verdict: { result: combined(reasons) > 0.5 }, reasons: textsOf(reasons) }
  },
  weights: {
    privacySettings: {
      fires: resultOf,
      session: 0.15,
      because: 'settings that hide what the browser is',
      suspect: { WEB: 6 },
    },
  },
  secureInfo: {
    returnedBy: 'both',
    notApplicable: { result: false },
    rules: {
      privacySettings: {
        type: flag('Settings that hide what the browser is'),
        value: resultOf,
        read: ({ signals }) => signals?.privacySettings,
      },
    },
  },
})

/**
 * Of what it changes, two things: every pixel of a canvas, the names of the graphics, the zone (Reykjavík, which keeps UTC), and the
 * screen, which is the page. Firefox without it blurs drawings as well, but plain colours it gives back.
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
