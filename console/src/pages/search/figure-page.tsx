// Which decisions does a figure count? Those of a rule, operation, app or country, newest first.

import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { usePages } from '../../api/use-call.ts'
import { useRuleNames } from '../../api/use-rule-names.ts'
import { isAction } from '../../parts/actions.ts'
import { Answer } from '../../parts/answer.tsx'
import { Button } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Select } from '../../parts/field.tsx'
import { Icon } from '../../parts/icon.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { texts } from '../../texts.ts'
import { EventTable } from '../events/event-table.tsx'
import { TimeRange } from '../events/filters.tsx'
import { figureValue } from '../performance/search.ts'
import { figureNames } from './figures.ts'
import './search.css'

const actions = { any: 'Any outcome', ...texts.actions } as const
const titles = { rule: 'Rule', operation: 'Operation', app: 'App', country: 'Country' } as const

export function FigurePage() {
  const search = useSearch({ from: '/search' })
  const { outcome, from, to } = search
  const navigate = useNavigate()
  const ruleName = useRuleNames(search.rule === undefined ? [] : [search.rule])
  const without = (...names: readonly (keyof typeof search)[]) =>
    Object.fromEntries(Object.entries(search).filter(([name]) => !names.includes(name as keyof typeof search)))
  const show = (next: typeof search) => void navigate({ to: '/search', search: next, replace: true })
  const filters = Object.fromEntries(
    figureNames.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]])),
  )
  const action = outcome !== undefined && isAction(outcome) ? outcome : undefined
  const answer = usePages('searchDecisions', { ...filters, action, from, to, limit: 100 }, (pages) =>
    pages.flatMap(({ events }) => events),
  )
  const { hasNextPage, isFetching, fetchNextPage } = answer
  const more = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage()
  }, [hasNextPage, isFetching, fetchNextPage])
  return (
    <>
      <PageHead title="Decisions" under="Newest first.">
        {figureNames.map((name) => {
          const value = search[name]
          if (value === undefined) return null
          const text = `${titles[name]}: ${name === 'rule' ? ruleName(value) : figureValue(name, value)}`
          return (
            <Button key={name} aria-label={`Any ${name}, not ${text}`} onPress={() => show(without(name))}>
              {text} <Icon name="close" size={14} />
            </Button>
          )
        })}
        <TimeRange value={{ from, to }} onAny={() => show(without('from', 'to'))} />
        <Select
          bare
          label="Outcome"
          options={actions}
          value={action ?? 'any'}
          onChange={(next) => show({ ...without('outcome'), ...(next !== 'any' && { outcome: next }) })}
        />
      </PageHead>
      <Answer of={answer} lines={12}>
        {(data) =>
          data.length > 0 ? (
            <EventTable label="Decisions" events={data} onEnd={more} />
          ) : hasNextPage ? (
            <Empty
              icon="search"
              title="Nothing in the newest decisions"
              action={<Button onPress={more}>Search older decisions</Button>}
            >
              There are older decisions that were not searched yet.
            </Empty>
          ) : (
            <Empty icon="search" title="Nothing found">
              No stored decision matches the filters.
            </Empty>
          )
        }
      </Answer>
    </>
  )
}
