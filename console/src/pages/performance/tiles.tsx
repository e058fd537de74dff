// How is it going, in six figures? Each with what it was in the period before.

import type { Performance } from '../../api/types.ts'
import { durationText } from '../../parts/values/duration.ts'
import { moneyText } from '../../parts/values/format.ts'
import { locale } from '../../parts/values/locale.ts'
import { shareText } from './rate-chart.tsx'
import { changeOf, type Figures, labelCounts, rates } from './rates.ts'
import { type RateName, rateNames } from './search.ts'
import './performance.css'

export function Tiles({ performance: { current, previous, cost } }: { performance: Performance }) {
  return (
    <dl className="tiles">
      {(Object.keys(rateNames) as RateName[]).map((name) => {
        const { of, isOfLabels, isGood } = rates[name]
        const change = changeOf(of(current), of(previous))
        const text = change === undefined ? undefined : `${Math.abs(change).toLocaleString(locale)} points`
        return (
          <Tile
            key={name}
            title={`${rateNames[name]}${isOfLabels ? '*' : ''}`}
            value={shareText(of(current))}
            change={change}
            text={text}
            isGood={isGood}
            beside={besideOf(name, current)}
          />
        )
      })}
      <Tile
        title="Review time"
        value={durationText(current.reviewSeconds)}
        change={difference(current.reviewSeconds, previous.reviewSeconds)}
        text={durationText(Math.abs(difference(current.reviewSeconds, previous.reviewSeconds) ?? 0))}
        isGood={false}
      />
      {cost && (
        <Tile
          title="Operator cost"
          value={sumText(cost.current, cost.currency)}
          change={difference(cost.current, cost.previous)}
          text={sumText(Math.abs(cost.current - cost.previous), cost.currency)}
          isGood={false}
        />
      )}
    </dl>
  )
}

const countsOf = (name: RateName, figures: Figures) =>
  name === 'fraud' || name === 'falsePositives' ? labelCounts[name](figures) : undefined

function besideOf(name: RateName, figures: Figures): string | undefined {
  if (name === 'challenges') return endsText(figures)
  const counts = countsOf(name, figures)
  if (counts === undefined || counts[1] === 0) return undefined
  const [part, whole] = counts.map((count) => count.toLocaleString(locale))
  return `${part} of ${whole} ${name === 'fraud' ? 'labelled' : 'labelled good'}`
}

/** Undefined where no challenge was made. */
function endsText({ challengesPassed, challengesFailed, challengesExpired }: Figures): string | undefined {
  if (challengesPassed + challengesFailed + challengesExpired === 0) return undefined
  const [failed, expired] = [challengesFailed, challengesExpired].map((count) => count.toLocaleString(locale))
  return `${failed} failed, ${expired} expired`
}

interface TileProps {
  title: string
  value: string
  change: number | undefined
  /** Of the change, without its sign. */
  text: string | undefined
  /** More is better. */
  isGood: boolean
  beside?: string | undefined
}

function Tile({ title, value, change, text, isGood, beside }: TileProps) {
  const tone = !change ? 'dim' : change > 0 === isGood ? 'better' : 'worse'
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        <strong className="figures">{value}</strong>
        {change !== undefined && (
          <span className={`tile-change ${tone}`}>
            {change === 0 ? 'as before' : `${change > 0 ? 'up' : 'down'} ${text}`}
          </span>
        )}
        {beside !== undefined && <span className="tile-beside dim figures">{beside}</span>}
      </dd>
    </div>
  )
}

const difference = (now: number | undefined, before: number | undefined) =>
  now === undefined || before === undefined ? undefined : now - before

/** Of a sum: beside hundreds, fractions of a coin say nothing. */
export const sumText = (amount: number, currency: string): string =>
  moneyText(amount < 10 ? amount : Math.round(amount), currency)
