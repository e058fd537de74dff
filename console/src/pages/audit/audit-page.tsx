// Who did what, when and from where? The audit log with its filters, the details of a line, and whether the log is intact.

import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { AuditLine } from '../../api/types.ts'
import { usePages } from '../../api/use-call.ts'
import { Answer, More } from '../../parts/answer.tsx'
import { Button } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Time } from '../../parts/values/time.tsx'
import { useShortcuts } from '../../shell/shortcuts.ts'
import { texts } from '../../texts.ts'
import { changeName } from '../../words/changes.ts'
import { Filters } from './audit-filters.tsx'
import { changedBy, peopleIn } from './changed-objects.ts'
import { Export } from './export.tsx'
import { type AuditFilters, readAuditFilters, sentAuditFilters } from './filters.ts'
import { LineDialog } from './line-dialog.tsx'
import { addressOf, detailOf, nameOf } from './lines.ts'
import { useVerification, Verification } from './verification.tsx'
import './audit.css'

export function AuditPage() {
  const filters = readAuditFilters(useSearch({ from: '/audit' }))
  const navigate = useNavigate()
  const [opened, setOpened] = useState<AuditLine>()
  const verification = useVerification()
  const answer = usePages('listAudit', { ...sentAuditFilters(filters), limit: 50 }, (pages) =>
    pages.flatMap(({ lines }) => lines),
  )
  const show = (change: (before: AuditFilters) => AuditFilters) =>
    void navigate({ to: '/audit', search: (before) => change(readAuditFilters(before)), replace: true })
  const isFiltered = Object.keys(filters).length > 0
  return (
    <>
      <PageHead
        title={texts.pages.audit}
        under="Changes, sign-ins and refused calls of this tenant. A line that is changed or deleted breaks the chain."
      >
        <Export filters={filters} />
        <Button kind="primary" onPress={() => verification.mutate()} isDisabled={verification.isPending}>
          {verification.isPending ? 'Verifying' : 'Verify'}
        </Button>
      </PageHead>
      <Verification of={verification} />
      <Filters value={filters} lines={answer.data ?? []} onChange={show} />
      <Answer of={answer} lines={12}>
        {(data) =>
          data.length === 0 && !answer.hasNextPage ? (
            <Empty
              icon="audit"
              title={isFiltered ? 'No line fits' : 'Nothing yet'}
              action={isFiltered && <Button onPress={() => show(() => ({}))}>Clear the filters</Button>}
            >
              {isFiltered ? 'Nobody did this in that time.' : 'The first change or sign-in appears here.'}
            </Empty>
          ) : (
            <div className="table-frame">
              <Lines lines={data} onOpen={setOpened} />
              <More of={answer}>{data.length === 0 ? 'Look further back' : texts.common.more}</More>
            </div>
          )
        }
      </Answer>
      <LineDialog
        line={opened}
        onClose={() => setOpened(undefined)}
        onFilter={(added) => {
          setOpened(undefined)
          show((before) => ({ ...before, ...added }))
        }}
      />
    </>
  )
}

/** `j` and `k` go from line to line; Enter opens one. */
function Lines({ lines, onOpen }: { lines: readonly AuditLine[]; onOpen: (line: AuditLine) => void }) {
  const body = useRef<HTMLTableSectionElement>(null)
  const go = (step: number) => {
    const buttons = [...(body.current?.querySelectorAll('button') ?? [])]
    const present = buttons.indexOf(document.activeElement as HTMLButtonElement)
    buttons[Math.max(0, Math.min(buttons.length - 1, present + step))]?.focus()
  }
  useShortcuts({ j: () => go(1), k: () => go(-1) })
  const people = peopleIn(lines)
  return (
    <table className="table audit-table">
      <thead>
        <tr>
          <th>When</th>
          <th>Who</th>
          <th>What</th>
          <th className="wide">From</th>
          <th className="number wide">Line</th>
        </tr>
      </thead>
      <tbody ref={body}>
        {lines.map((line) => (
          <tr key={line.number}>
            <td className="dim">
              <Time at={line.at} />
            </td>
            <td>
              <p className="audit-who">{nameOf(line)}</p>
              <p className="dim">{detailOf(line, 'role')}</p>
            </td>
            <td className="audit-what">
              <Button kind="quiet" onPress={() => onOpen(line)}>
                {changeName(line.action)}
              </Button>
              <p className="dim audit-subject">
                {changedBy(line, people) ?? (line.erased ? 'Details erased' : undefined)}
              </p>
            </td>
            <td className="wide dim figures">{addressOf(line)}</td>
            <td className="number wide dim figures">{line.number}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
