// Which rules are there, and what does each do? One line a rule, with its figures; one of them is open.

import { type ReactNode, useState } from 'react'
import type { ShownRule } from '../../api/types.ts'
import { ActionBadge, Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { percent } from '../../parts/values/format.ts'
import { locale } from '../../parts/values/locale.ts'
import { changeOf, type Figures } from './figures.ts'
import { Spark } from './spark.tsx'
import type { FiguresOf } from './use-figures.ts'
import './rule-lines.css'

type Line = Pick<ShownRule, 'id' | 'name' | 'when' | 'action'>

interface RuleLinesProps {
  rules: readonly Line[]
  figures: FiguresOf
  /** Those that differ from the version to compare with. */
  changed: ReadonlyMap<string, 'added' | 'changed'>
  openId: string | undefined
  onOpen: (id: string) => void
  /** Under the line of the open rule; absent where it is beside the list. */
  detail?: (id: string) => ReactNode
  /** Beside the search. */
  aside?: ReactNode
  /** After the rules. */
  children?: ReactNode
}

type Filter = 'all' | 'changed' | 'silent'

export function RuleLines({ rules, figures, changed, openId, onOpen, detail, aside, children }: RuleLinesProps) {
  const [filter, setFilter] = useState<Filter>('all')
  const [sought, setSought] = useState('')
  const silent = rules.filter(({ id }) => figures(id)?.isSilent)
  const isKnown = rules.every(({ id }) => figures(id)?.isSilent !== undefined)
  const keeps: Readonly<Record<Filter, (rule: Line) => boolean>> = {
    all: () => true,
    changed: ({ id }) => changed.has(id),
    silent: (rule) => silent.includes(rule),
  }
  const words = sought.trim().toLowerCase().split(/\s+/)
  const isSought = ({ id, name, when }: Line) => {
    const text = `${id} ${name} ${when}`.toLowerCase()
    return words.every((word) => text.includes(word))
  }
  // What is open stays in sight while it is typed.
  const shown = rules.filter((rule) => (keeps[filter](rule) && isSought(rule)) || (sought === '' && rule.id === openId))
  const filterNames = {
    all: `All ${rules.length}`,
    changed: `Changed ${changed.size}`,
    silent: `Silent ${number(isKnown ? silent.length : undefined)}`,
  } as const
  return (
    <section className="rule-lines" aria-label="Rules">
      <div className="rule-lines-head">
        <input
          className="input"
          type="search"
          aria-label="Find a rule"
          placeholder="Find by name or condition"
          value={sought}
          onChange={({ target }) => setSought(target.value)}
        />
        {aside}
      </div>
      <fieldset className="rule-lines-filters">
        <legend className="visually-hidden">Which rules</legend>
        {(Object.keys(filterNames) as Filter[]).map((each) => (
          <Button key={each} kind="quiet" aria-pressed={filter === each} onPress={() => setFilter(each)}>
            {filterNames[each]}
          </Button>
        ))}
      </fieldset>
      <p className="rule-line rule-line-titles" aria-hidden="true">
        <span>Rule</span>
        <span>Action</span>
        <span className="number">7 days</span>
        <span className="number narrow-last">Change</span>
        <span className="number wide">Fraud*</span>
        <span className="number wide">Good*</span>
      </p>
      <ol>
        {shown.map((rule) => (
          <li key={rule.id}>
            <RuleLine
              rule={rule}
              figures={figures(rule.id)}
              change={changed.get(rule.id)}
              isOpen={rule.id === openId}
              isExpandable={detail !== undefined}
              onOpen={() => onOpen(rule.id)}
            />
            {rule.id === openId && detail && <div className="rule-detail">{detail(rule.id)}</div>}
          </li>
        ))}
      </ol>
      {shown.length === 0 && <p className="dim rule-lines-none">No rule is like this.</p>}
      {children}
      <p className="dim rule-lines-note">
        * Of decisions with a label, 30 days: share of fraud, and good people hit. Silent: fired in no decision of 7
        days. Shadow: would have fired in so many of the last decisions.
      </p>
    </section>
  )
}

interface RuleLineProps {
  rule: Line
  figures: Figures | undefined
  change: 'added' | 'changed' | undefined
  isOpen: boolean
  isExpandable: boolean
  onOpen: () => void
}

const number = (value: number | undefined) => (value === undefined ? '–' : value.toLocaleString(locale))
const signed = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' })
/** A rule that begins to fire has no percentage. */
const changeText = (figures: Figures): string => {
  const change = changeOf(figures)
  return change === undefined ? (figures.week > 0 ? 'new' : '–') : signed.format(change)
}

function RuleLine({ rule: { name, action }, figures, change, isOpen, isExpandable, onOpen }: RuleLineProps) {
  const state = isExpandable
    ? { 'aria-expanded': isOpen }
    : { 'aria-current': isOpen, 'data-open': isOpen || undefined }
  return (
    <button type="button" className="rule-line" {...state} onClick={onOpen}>
      <span className="rule-line-name">
        <b>{name}</b>
        {change && <Badge>{change === 'added' ? 'New' : 'Changed'}</Badge>}
      </span>
      <span>
        <ActionBadge action={action} />
      </span>
      {figures?.shadow ? <Shadow fired={figures.shadow.fired} /> : <Measured figures={figures} />}
    </button>
  )
}

/** It has no week, no change and no labels: it decides nothing. */
const Shadow = ({ fired }: { fired: number }) => (
  <span className="number figures rule-line-fired">
    <span className="dim">shadow</span>
    <Said>, would have fired: </Said>
    {number(fired)}
  </span>
)

const Measured = ({ figures }: { figures: Figures | undefined }) => (
  <>
    <span className="number figures rule-line-fired">
      <Spark counts={figures?.byDay.slice(-14) ?? []} />
      <Said>, fired in 7 days: </Said>
      {number(figures?.week)}
    </span>
    <span className="number figures dim narrow-last">
      <Said>, change: </Said>
      {figures ? changeText(figures) : '–'}
    </span>
    <span className="number figures wide">
      <Said>, share of fraud: </Said>
      {percent(figures?.badShare)}
    </span>
    <span className={`number figures wide${figures?.goodStopped ? ' is-hit' : ''}`}>
      <Said>, good people hit: </Said>
      {number(figures?.goodStopped)}
    </span>
  </>
)

/** The titles of the columns, for a screen reader. */
const Said = ({ children }: { children: string }) => <span className="visually-hidden">{children}</span>
