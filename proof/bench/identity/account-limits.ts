// Which score makes a visit a known device of the account that it names, and how probable is that?

import type { Family } from '../../../server/src/device/identity/components.ts'
import { models } from '../../../server/src/device/identity/score.ts'
import { curveOf } from '../recognition/decided.ts'
import type { AccountTrial, Visitor } from './account-trials.ts'

/** Of the visits of the account's new devices, this part may be called likely, and of those of strangers. */
const mostWrong = 0.004

/**
 * Who names an account without a token, in per cent: mostly its own devices, often a new one of the same person, rarely somebody
 * with a stolen password. Our estimate; the limits do not depend on it, the probability does.
 */
const shares: Record<Visitor, number> = { 'own device': 60, 'other device': 35, stranger: 5 }

export function accountLimits(trials: readonly AccountTrial[], family: Family) {
  const { score } = models[family]
  const its = trials.filter((trial) => trial.family === family)
  const scored = its.flatMap(({ visitor, pairs }) => {
    const [best] = pairs
      .map(({ outcomes, age, isSame }) => ({ score: score(outcomes, [], age), isSame }))
      .sort((a, b) => b.score - a.score)
    return best ? [{ visitor, ...best }] : []
  })
  const countOf = (visitor: Visitor) => its.filter((trial) => trial.visitor === visitor).length
  // The score that as many of these visits exceed as is allowed, and no more.
  const limitOf = (foreign: Visitor) => {
    const wrong = scored.filter(({ visitor }) => visitor === foreign).map((one) => one.score)
    return wrong.sort((a, b) => b - a)[Math.floor(mostWrong * countOf(foreign))]!
  }
  const likely = Number((Math.max(limitOf('other device'), limitOf('stranger')) + 0.05).toFixed(1))
  const curve = curveOf(
    scored.map(({ visitor, score, isSame }) => ({
      kind: 'known',
      logOdds: score,
      isRight: isSame,
      weight: shares[visitor] / countOf(visitor),
    })),
    1 / its.length,
  )
  return { likely, curve }
}
