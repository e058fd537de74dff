// Detects settings that make a browser reveal less of the device.

import { flag } from '../../../core/path-types.ts'
import { asked } from '../../analysis/absent-facts.ts'
import { isBrave } from '../../analysis/brands.ts'
import { type Engine, engineOf } from '../../analysis/engine.ts'
import type { Evidence } from '../../analysis/evidence.ts'
import { atLeast, both, holding, type Known, type Row, reaches, textsOf } from '../reasons.ts'
import { type Finding, resultOf, signal } from '../signal.ts'
import type { FlagResult } from '../verdicts.ts'

/** Firefox with resistFingerprinting, Tor Browser, Brave Shields, and the noise that Safari can add. */
export const privacySettings = signal({
  name: 'privacySettings',
  question: 'Is the browser set to reveal less of the device than usual?',
  version: 3,
  platforms: ['WEB'],
  judge(evidence): Finding<FlagResult> | undefined {
    const { facts } = evidence
    if (facts.pageCanvasExact === undefined && facts.canvas === undefined) return undefined
    const isOf = (engine: Engine) => asked(evidence, ['engine', 'userAgent'], () => engineOf(evidence) === engine)
    const isNoisy = atLeast(1, [
      asked(evidence, ['pageCanvasExact'], ({ pageCanvasExact }) => pageCanvasExact === false),
      asked(evidence, ['canvas'], ({ canvas }) => canvas?.isExact === false || canvas?.isStable === false),
    ])
    const table: Row[] = [
      [
        both(isOf('firefox'), atLeast(signsNeeded, signsOfResistance(evidence))),
        0.9,
        'resistFingerprinting in Firefox',
      ],
      [both(isOf('webkit'), isNoisy), 0.6, 'noise on the canvas in WebKit'],
      [both(isNoisy, isBrave(evidence)), 0.9, 'Brave Shields'],
    ]
    const result = reaches(table, (score) => score > 0.5)
    return result === undefined ? undefined : { verdict: { result }, reasons: textsOf(holding(table)) }
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
export const resistsFingerprinting = (evidence: Evidence): boolean =>
  atLeast(signsNeeded, signsOfResistance(evidence)) === true

const signsNeeded = 2

function signsOfResistance(evidence: Evidence): Known[] {
  return [
    asked(evidence, ['pageCanvasExact'], ({ pageCanvasExact }) => pageCanvasExact === false),
    asked(evidence, ['webgl'], ({ webgl }) => webgl?.renderer === 'Mozilla'),
    asked(evidence, ['timezone'], ({ timezone }) => timezone === 'Atlantic/Reykjavik'),
    asked(
      evidence,
      ['screen', 'windowGeometry'],
      ({ screen, windowGeometry: of }) =>
        of?.innerHeight !== undefined && screen?.height === of.innerHeight && of.outerHeight === of.innerHeight,
    ),
  ]
}
