// How well do the rules decide? Rates against the period before, amounts, rules by false positives, and checks by operator.

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useSession } from '../../api/session.tsx'
import type { Performance } from '../../api/types.ts'
import { Answer } from '../../parts/answer.tsx'
import { Card } from '../../parts/card.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Select } from '../../parts/field.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { locale } from '../../parts/values/locale.ts'
import { Time } from '../../parts/values/time.tsx'
import { texts } from '../../texts.ts'
import type { FigureFilters } from '../search/figures.ts'
import { RateChart, shareText } from './rate-chart.tsx'
import { decisionsOf, labelledOf, rates } from './rates.ts'
import {
  type FilterName,
  figureValue,
  filterNames,
  type PerformanceSearch,
  periods,
  type RateName,
  rateNames,
} from './search.ts'
import { AmountsCard, ChecksCard, RulesCard, UpstreamsCard } from './tables.tsx'
import { Tiles } from './tiles.tsx'
import './performance.css'

const everyMs = 30_000
const days = { '1': 1, '7': 7, '30': 30, '90': 90 } as const

export function PerformancePage() {
  const search = useSearch({ from: '/performance' })
  const { days: period = '30', rate = 'approval', ...filters } = search
  const navigate = useNavigate()
  const { call } = useSession()
  const answer = useQuery({
    queryKey: ['readPerformance', period, filters],
    queryFn: ({ signal }) => call('readPerformance', { days: days[period], ...filters }, { signal }),
    refetchInterval: everyMs,
    placeholderData: keepPreviousData,
  })
  const change = (next: PerformanceSearch) =>
    void navigate({ to: '/performance', search: { ...search, ...next }, replace: true })
  return (
    <>
      <PageHead title={texts.pages.performance} under={againstText(period, answer.data)}>
        {answer.data && <Filters performance={answer.data} search={search} onChange={change} />}
        <Select bare label="Period" options={periods} value={period} onChange={(next) => change({ days: next })} />
      </PageHead>
      <Answer of={answer} lines={12}>
        {(data) =>
          decisionsOf(data.current) + decisionsOf(data.previous) === 0 ? (
            <Empty icon="performance" title="No decisions in this time">
              Choose a longer period, or other filters.
            </Empty>
          ) : (
            <Shown performance={data} filters={filters} rate={rate} onRate={(next) => change({ rate: next })} />
          )
        }
      </Answer>
    </>
  )
}

/** Without decisions before, nothing is compared. */
function againstText(period: keyof typeof periods, data: Performance | undefined): string {
  const before = `${period === '1' ? '24 hours' : periods[period]} before`
  const isFirst = data !== undefined && decisionsOf(data.previous) === 0
  return isFirst ? `The ${before} have no decisions to compare with` : `Against the ${before}`
}

const plural: Readonly<Record<FilterName, 'operations' | 'apps' | 'countries'>> = {
  operation: 'operations',
  app: 'apps',
  country: 'countries',
}
const filterWords: Readonly<Record<FilterName, { readonly title: string; readonly all: string }>> = {
  operation: { title: 'Operation', all: 'All operations' },
  app: { title: 'App', all: 'All apps' },
  country: { title: 'Country', all: 'All countries' },
}

interface FiltersProps {
  performance: Performance
  search: PerformanceSearch
  onChange: (search: PerformanceSearch) => void
}

function Filters({ performance, search, onChange }: FiltersProps) {
  return filterNames.map((name) => {
    const values = performance[plural[name]]
    const chosen = search[name]
    const offered = chosen === undefined || values.includes(chosen) ? values : [...values, chosen]
    if (offered.length === 0) return null
    const options = Object.fromEntries([
      ['*', filterWords[name].all],
      ...offered.map((value) => [value, figureValue(name, value)]),
      ...(offered.includes('other') ? [] : [['other', 'Others']]),
    ])
    return (
      <Select
        key={name}
        bare
        label={filterWords[name].title}
        options={options}
        value={chosen ?? '*'}
        onChange={(next) => onChange({ [name]: next === '*' ? undefined : next })}
      />
    )
  })
}

interface ShownProps {
  performance: Performance
  filters: FigureFilters
  rate: RateName
  onRate: (rate: RateName) => void
}

function Shown({ performance, filters, rate, onRate }: ShownProps) {
  const { current, countedUntil, upstreams } = performance
  const labelled = labelledOf(current)
  return (
    <div className="performance">
      <Tiles performance={performance} />
      <p className="dim performance-note">
        {`* Of decisions with a label: ${shareText(labelled / Math.max(1, decisionsOf(current)))} have one (${labelled.toLocaleString(locale)}).`}
        {rates[rate].isOfLabels && ' The last 14 days are grey, since labels arrive late.'}
        {countedUntil && (
          <>
            {' Counted until '}
            <Time at={countedUntil} />.
          </>
        )}
      </p>
      <Card title="Over time" aside={<Select bare label="Rate" options={rateNames} value={rate} onChange={onRate} />}>
        <RateChart performance={performance} filters={filters} rate={rate} />
      </Card>
      <AmountsCard amounts={current.amounts} />
      <RulesCard performance={performance} filters={filters} />
      <ChecksCard performance={performance} />
      {upstreams.length > 0 && <UpstreamsCard upstreams={upstreams} />}
    </div>
  )
}
