// Detects automation: a browser that a program controls, or a crawler.

import type { WebFacts } from '@ringfence/contract'
import { botProofs, claimedBot } from '../../../bots/known-bots.ts'
import { botCategories } from '../../../core/config/bot-settings.ts'
import { oneOf, text } from '../../../core/path-types.ts'
import { asked } from '../../analysis/absent-facts.ts'
import { claimedEngine, engineOf, systemOfUserAgent } from '../../analysis/engine.ts'
import type { Evidence } from '../../analysis/evidence.ts'
import { inspectorOf } from '../../analysis/inspection.ts'
import { isUserAgentOfProgram } from '../../analysis/program-user-agent.ts'
import { atLeast, both, holding, type Known, type Row, reaches, textsOf } from '../reasons.ts'
import { type Finding, signal } from '../signal.ts'
import type { BotResult } from '../verdicts.ts'
import { type BotControl, botControls, controlOf } from './bot-control.ts'

/** Combined weight of the reasons from which the verdict is `bad`. */
const enough = 0.7

/**
 * An agent with a valid signature and a verified crawler are good, whatever else they show. For all others, some reasons decide alone; an ordinary browser may show one
 * of the weak ones.
 */
export const bot = signal({
  name: 'bot',
  question: 'Does a program control this browser?',
  version: 8,
  platforms: ['WEB'],
  judge(evidence): Finding<BotResult> | undefined {
    const { facts, headers, agent, crawler } = evidence
    if (agent?.verification === 'verified') {
      const { name, category, because } = agent
      return {
        verdict: {
          result: 'good',
          ...(name !== undefined && { name }),
          ...(category && { category }),
          proof: 'signature',
        },
        reasons: [`agent ${name}: ${because}`],
      }
    }
    const agents = [headers['user-agent'], facts.userAgent, facts.workerScope?.userAgent].filter(
      (text) => text !== undefined,
    )
    const claims = agents.map(claimedBot).filter((bot) => bot !== undefined)
    if (crawler?.verification === 'verified') {
      const bot = claims.find(({ publisher }) => publisher === crawler.name)
      return {
        verdict: {
          result: 'good',
          ...(bot && { name: bot.name, category: bot.category }),
          ...(crawler.proof && { proof: crawler.proof }),
        },
        reasons: [`crawler of ${crawler.name}: ${crawler.because}`],
      }
    }
    const claimed = agent?.name === undefined ? claims[0] : agent
    const isDeclared = agents.some(isUserAgentOfProgram)
    const listens: Row = [
      asked(evidence, ['inspection'], () => inspectorOf(facts) === 'program'),
      1,
      'a program reads the console over the debugging protocol',
    ]
    const others: Row[] = [
      [isDeclared, 1, 'user agent of a program'],
      [crawler !== undefined, 1, `claims to be a crawler of ${crawler?.name}: ${crawler?.because}`],
      [agent !== undefined, 1, `signs as ${agent?.name ?? 'an unknown agent'}: ${agent?.because}`],
      [!crawler && claims.length > 0, 1, `claims to be ${claims[0]?.name}`],
      [asked(evidence, ['automation'], ({ automation }) => automation?.webdriver), 1, 'navigator.webdriver'],
      [
        asked(evidence, ['automation'], ({ automation }) => isNonEmpty(automation?.globals)),
        1,
        `globals of an automation tool: ${facts.automation?.globals?.join(', ')}`,
      ],
      [isScreenEmulated(evidence), 0.7, 'a page as large as the screen, in a larger window'],
      ...unattended(evidence),
    ]
    const table = [...others, listens]
    const isBad = reaches(table, (score) => score >= enough)
    if (isBad === undefined) return undefined
    const category = claimed?.category ?? (isBad && !claimed && !agent ? controlOf(evidence, others) : undefined)
    return {
      verdict: {
        result: isBad ? 'bad' : 'notDetected',
        ...(claimed?.name !== undefined && { name: claimed.name }),
        ...(category && { category }),
        ...((claimed || agent) && { proof: 'none' }),
      },
      reasons: textsOf(holding(table)),
    }
  },
  weights: {
    bot: {
      fires: ({ result }) => result === 'bad',
      session: 0.6,
      because: 'a program controls the browser',
      suspect: { WEB: 7 },
      publishedAs: 'badBot',
    },
  },
  secureInfo: {
    returnedBy: 'both',
    unknown: { result: 'notDetected' },
    additions: ['name', 'category', 'proof'],
    rules: {
      bot: {
        type: oneOf(['notDetected', 'good', 'bad'], 'good: a verified crawler or agent; bad: any other automation'),
        value: ({ result }) => result,
        read: ({ signals }) => signals?.bot,
      },
      botName: {
        type: text('The crawler or agent that the client says it is, such as Googlebot'),
        value: ({ name }) => name,
        read: ({ signals }) => signals?.botName,
      },
      botCategory: {
        type: oneOf(
          [...botCategories, ...(Object.keys(botControls) as BotControl[])],
          `What that crawler or agent is for. Of other automation, browserAgent: ${botControls.browserAgent}; automation: ${botControls.automation}`,
        ),
        value: ({ category }) => category,
        read: ({ signals }) => signals?.botCategory,
      },
      botProof: {
        type: oneOf(
          [...botProofs],
          'How its name is proved: a signature (Web Bot Auth), the host name or the IP range of its publisher; none: it only claims to be one',
        ),
        value: ({ proof }) => proof,
        read: ({ signals }) => signals?.botProof,
      },
    },
  },
})

/** Signs of a browser without a person. Ordinary browsers may show any one of them. */
function unattended(evidence: Evidence): Row[] {
  const isDesktop = isDesktopOf(evidence)
  return [
    ...withoutDisplay(evidence, isDesktop),
    ...withoutWindow(evidence, isDesktop),
    ...stripped(evidence, isDesktop),
  ]
}

function isDesktopOf(evidence: Evidence): Known {
  const system = systemOfUserAgent(evidence.facts.userAgent)
  // A system that nobody knows may be a desktop, unless it says that it is of a phone.
  return asked(evidence, ['userAgent'], ({ userAgent = '' }) =>
    system === undefined && !/\b(Mobile|Phone|Tablet)\b/.test(userAgent)
      ? undefined
      : system === 'windows' || system === 'mac' || system === 'linux',
  )
}

/** Nobody looks at it: what is in place of a mouse, a screen and a graphics card. */
function withoutDisplay(evidence: Evidence, isDesktop: Known): Row[] {
  const isWithoutPointer = both(
    isDesktop,
    asked(
      evidence,
      ['mediaQueries', 'maxTouchPoints'],
      ({ mediaQueries, maxTouchPoints }) => mediaQueries?.['any-pointer'] === 'none' && maxTouchPoints === 0,
    ),
  )
  return [
    [isWithoutPointer, 0.45, 'neither mouse nor touch'],
    [both(isWithoutPointer, isScreenInvented(evidence)), 0.5, 'a screen without system bars, and no pointer'],
    [
      asked(evidence, ['screen'], ({ screen }) => screen?.width === 800 && screen.height === 600),
      0.35,
      'a screen of 800 × 600, the default without a display',
    ],
    [
      asked(evidence, ['webgl'], ({ webgl }) => /SwiftShader/.test(webgl?.renderer ?? '')),
      0.2,
      'SwiftShader renders the graphics',
    ],
  ]
}

function withoutWindow(evidence: Evidence, isDesktop: Known): Row[] {
  return [
    [
      // A page in the background has no window yet.
      asked(evidence, ['windowGeometry'], ({ windowGeometry: of }) =>
        of?.outerWidth === undefined ? undefined : of.outerWidth === 0 || of.outerHeight === 0,
      ),
      0.6,
      'a window of size 0',
    ],
    [
      both(
        isDesktop,
        asked(
          evidence,
          ['screen', 'windowGeometry'],
          ({ screen, windowGeometry }) =>
            (windowGeometry?.outerWidth ?? 0) > (screen?.width ?? Number.POSITIVE_INFINITY) + 64,
        ),
      ),
      0.35,
      'a window wider than the screen',
    ],
  ]
}

/** What a browser for people has, and one for programs lacks or overrides. */
function stripped(evidence: Evidence, isDesktop: Known): Row[] {
  const { facts } = evidence
  const isChromium = asked(evidence, ['engine', 'userAgent'], () => {
    const claimed = claimedEngine(facts.userAgent)
    return claimed === undefined ? undefined : engineOf(evidence) === 'chromium' && claimed === 'chromium'
  })
  const inDesktopChromium = (name: keyof WebFacts, holds: (facts: WebFacts) => Known) =>
    both(isDesktop, isChromium, asked(evidence, [name], holds))
  return [
    [
      asked(
        evidence,
        ['automation', 'permissions'],
        ({ automation, permissions }) =>
          automation?.notificationPermission === 'denied' && permissions?.notifications === 'prompt',
      ),
      0.7,
      'notifications are denied and also not decided yet',
    ],
    [inDesktopChromium('automation', ({ automation }) => automation?.chromeObject === false), 0.5, 'no window.chrome'],
    [inDesktopChromium('plugins', ({ plugins }) => plugins?.length === 0), 0.35, 'no plug-ins'],
    [asked(evidence, ['languages'], ({ languages }) => languages?.length === 0), 0.5, 'no languages'],
    [
      inDesktopChromium('clientHints', ({ clientHints }) => clientHints?.fullVersionList?.length === 0),
      0.4,
      'the user agent was overridden',
    ],
  ]
}

/**
 * Without a display the browser invents the screen: no system bar takes space, and one window fills it or no graphics card
 * renders it.
 */
function isScreenInvented(evidence: Evidence): Known {
  const { screen, windowGeometry } = evidence.facts
  const { width = 0, height, availWidth, availHeight } = screen ?? {}
  const isWhole = asked(evidence, ['screen'], () => width > 0 && width === availWidth && height === availHeight)
  const isWindow = asked(
    evidence,
    ['windowGeometry'],
    () => width === windowGeometry?.outerWidth && height === windowGeometry.outerHeight,
  )
  const isSoftware = asked(evidence, ['webgl'], ({ webgl }) => /llvmpipe|SwiftShader/.test(webgl?.renderer ?? ''))
  return both(isWhole, atLeast(1, [isWindow, isSoftware]))
}

/** What tool bars take at least. Brave adds 8 pixels of noise at most. */
const smallestToolBars = 32

/**
 * Drivers give the page a size of their own and report it as the screen, but the window around it stays what it is. The device
 * mode of developer tools does so too.
 */
const isScreenEmulated = (evidence: Evidence): Known =>
  asked(evidence, ['screen', 'windowGeometry', 'inspection'], ({ screen, windowGeometry: of, inspection }) => {
    const { width = 0, height = 0 } = screen!
    const isWhole = of!.isTop === true && of!.innerWidth === width && of!.innerHeight === height
    // A page in the background has no window yet.
    const isLarger = of!.outerHeight === undefined ? undefined : of!.outerHeight >= height + smallestToolBars
    return both(isWhole, isLarger, inspection!.stacksWritten === 0)
  })

const isNonEmpty = (list: readonly unknown[] | undefined) => (list?.length ?? 0) > 0
