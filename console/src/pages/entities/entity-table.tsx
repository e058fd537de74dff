// Which devices, users or numbers are there? A table with filters, a search, and what is done with the chosen rows.

import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useMay } from '../../api/session.tsx'
import type { List, SubjectState } from '../../api/types.ts'
import { Answer, More } from '../../parts/answer.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Select } from '../../parts/field.tsx'
import type { IconName } from '../../parts/icon.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { saveFile } from '../../parts/save-file.ts'
import { Table } from '../../parts/table.tsx'
import { locale } from '../../parts/values/locale.ts'
import { Time } from '../../parts/values/time.tsx'
import { reasonName } from '../../words/reasons.ts'
import { AddAllToList } from '../subject/add-to-list.tsx'
import { toneOfState } from '../subject/state.ts'
import { csvOf } from './entity-file.ts'
import { type EntityFilter, type EntityRow, entityFilters } from './filters.ts'
import { type EntityField, LabelChosen } from './label-chosen.tsx'
import { type Search, SearchEntities } from './search-entities.tsx'
import './entities.css'

interface EntityTableProps {
  title: string
  icon: IconName
  /** Of the column of the id, of the file, and of the field of the search. */
  words: { readonly id: string; readonly field: EntityField; readonly shared: string; readonly placeholder: string }
  path: '/devices' | '/user' | '/number'
  filter: EntityFilter
  search: Search | undefined
  onSearch: (search: Search | undefined) => void
  listKind: List['kind']
  of: {
    readonly data: readonly EntityRow[] | undefined
    readonly error: Error | null
    readonly refetch: () => Promise<unknown>
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly fetchNextPage: () => Promise<unknown>
  }
  /** The page of the row. */
  linkTo: (id: string) => ReactNode
}

/** A role that sees values masked cannot open or list them. */
const isMasked = (id: string) => id.includes('***')

export function EntityTable({
  title,
  icon,
  words,
  path,
  filter,
  search,
  onSearch,
  listKind,
  of,
  linkTo,
}: EntityTableProps) {
  const navigate = useNavigate()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const rows = of.data ?? []
  const selected = rows.filter(({ id }) => chosen.has(id))
  const choose = (id: string) =>
    setChosen(new Set(chosen.has(id) ? [...chosen].filter((each) => each !== id) : [...chosen, id]))
  return (
    <>
      <PageHead title={title} under="Made from the event log, about half a minute behind.">
        {search === undefined && (
          <Select
            bare
            label="Filter"
            options={entityFilters}
            value={filter}
            onChange={(next) =>
              void navigate({ to: path, search: next === 'riskiest' ? {} : { filter: next }, replace: true })
            }
          />
        )}
      </PageHead>
      <SearchEntities words={words} search={search} onSearch={onSearch} />
      {selected.length > 0 && (
        <Chosen rows={selected} field={words.field} listKind={listKind} onClear={() => setChosen(new Set())} />
      )}
      <Answer of={of} lines={10}>
        {(data) =>
          data.length === 0 ? (
            <Nothing icon={icon} filter={filter} isSearch={search !== undefined} title={title} />
          ) : (
            <div className="table-frame">
              <Table
                className="entities"
                head={{
                  Chosen: 'hidden',
                  [words.id]: 'name',
                  State: '',
                  [words.shared]: 'number wide',
                  Decisions: 'number',
                  Refused: 'number wide',
                  'Top reason': 'wide',
                  'Last and first seen': 'wide',
                }}
              >
                {data.map((row) => (
                  <Row key={row.id} row={row} isChosen={chosen.has(row.id)} onChoose={choose} linkTo={linkTo} />
                ))}
              </Table>
              <More of={of} />
            </div>
          )
        }
      </Answer>
    </>
  )
}

interface RowProps {
  row: EntityRow
  isChosen: boolean
  onChoose: (id: string) => void
  linkTo: (id: string) => ReactNode
}

function Row({ row, isChosen, onChoose, linkTo }: RowProps) {
  const { id, state, shared, decisions, refused, badLabels, topReason, firstSeenAt, lastSeenAt } = row
  return (
    <tr>
      <td className="entity-choice">
        <input
          type="checkbox"
          aria-label={`Choose ${id.slice(0, 80)}`}
          checked={isChosen}
          disabled={isMasked(id)}
          onChange={() => onChoose(id)}
        />
      </td>
      <td className="entity-id" title={id}>
        <bdi>{isMasked(id) ? id : linkTo(id)}</bdi>
      </td>
      <td title={state.text}>
        <span className="entity-pair">
          <Badge tone={toneOfState(state)}>{stateWords[state.level]}</Badge>
          {badLabels > 0 && (
            <span className="dim">
              {badLabels === 1 ? '1 bad label' : `${badLabels.toLocaleString(locale)} bad labels`}
            </span>
          )}
        </span>
      </td>
      <td className="number wide figures">{shared.toLocaleString(locale)}</td>
      <td className="number figures">{decisions.toLocaleString(locale)}</td>
      <td className="number wide figures">{refused.toLocaleString(locale)}</td>
      <td className="wide entity-reason">{topReason && reasonName(topReason)}</td>
      <td className="wide dim">
        <span className="entity-pair times">
          <Time at={lastSeenAt} />
          <Time at={firstSeenAt} />
        </span>
      </td>
    </tr>
  )
}

const stateWords: Readonly<Record<SubjectState['level'], string>> = {
  good: 'Good',
  watch: 'Watch',
  bad: 'Bad',
  unknown: 'Unknown',
}

interface ChosenProps {
  rows: readonly EntityRow[]
  field: EntityField
  listKind: List['kind']
  onClear: () => void
}

function Chosen({ rows, field, listKind, onClear }: ChosenProps) {
  const may = useMay()
  return (
    <section className="entity-chosen" aria-label="What to do with the chosen rows">
      <strong>{`${rows.length.toLocaleString(locale)} chosen`}</strong>
      <LabelChosen field={field} ids={rows.map(({ id }) => id)} onDone={onClear} />
      {may('lists.write') && <AddAllToList kind={listKind} values={rows.map(({ id }) => id)} />}
      <Button onPress={() => saveFile(`${field}s.csv`, 'text/csv', csvOf(field, rows))}>Export</Button>
      <Button kind="quiet" onPress={onClear}>
        Clear
      </Button>
    </section>
  )
}

const nothingWords: Readonly<Record<EntityFilter, string>> = {
  riskiest: 'None has a bad label or a stopped decision',
  newToday: 'None is new today',
  shared: 'None is shared',
  all: 'None was seen yet',
}

interface NothingProps {
  icon: IconName
  filter: EntityFilter
  isSearch: boolean
  title: string
}

const Nothing = ({ icon, filter, isSearch, title }: NothingProps) => (
  <Empty icon={icon} title={isSearch ? 'Nothing found' : nothingWords[filter]}>
    {isSearch
      ? 'It is compared letter by letter. A row lives as long as the events that name it.'
      : `${title} are here half a minute after the first event that names them.`}
  </Empty>
)
