// What exactly does an audit line say? Who, from where, what was sent, and its place in the chain.

import type { ReactNode } from 'react'
import type { AuditLine } from '../../api/types.ts'
import { Button } from '../../parts/button.tsx'
import { type Fact, Facts } from '../../parts/card.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Link } from '../../parts/link.tsx'
import { Dialog } from '../../parts/overlay.tsx'
import { fieldName } from '../../parts/values/format.ts'
import { locale } from '../../parts/values/locale.ts'
import { exactTime } from '../../parts/values/time.tsx'
import { changeName } from '../../words/changes.ts'
import type { AuditFilters } from './filters.ts'
import { addressOf, detailOf, nameOf, otherDetails, sentOf } from './lines.ts'
import './audit.css'

interface LineDialogProps {
  line: AuditLine | undefined
  onClose: () => void
  onFilter: (filters: AuditFilters) => void
}

export function LineDialog({ line, onClose, onFilter }: LineDialogProps) {
  return (
    <Dialog title={line ? changeName(line.action) : ''} isOpen={line !== undefined} onClose={onClose}>
      {line && <Line line={line} onFilter={onFilter} />}
    </Dialog>
  )
}

function Line({ line, onFilter }: { line: AuditLine; onFilter: (filters: AuditFilters) => void }) {
  const { number, at, actor, action, erased, hash } = line
  const sent = sentOf(line)
  const requestId = detailOf(line, 'requestId')
  return (
    <>
      <Facts
        facts={[
          { name: 'When', value: exactTime(at) },
          { name: 'Who', value: nameOf(line) },
          { name: 'Role', value: detailOf(line, 'role') },
          { name: 'Actor', value: <Copy value={actor}>{beginning(actor)}</Copy> },
          { name: 'IP address', value: addressOf(line) },
          { name: 'Request id', value: requestId && <Copy value={requestId}>{beginning(requestId)}</Copy> },
          ...otherDetails(line).map(asFact),
          erased ? { name: 'Details', value: 'Personal data erased. The chain still holds' } : undefined,
        ]}
      />
      {sent && (
        <section className="audit-sent">
          <h3>What was sent</h3>
          <Facts facts={Object.entries(sent).map(asFact)} />
          <LinkTo action={action} sent={sent} />
        </section>
      )}
      <section className="audit-sent">
        <h3>In the chain</h3>
        <Facts
          facts={[
            { name: 'Line', value: number.toLocaleString(locale) },
            { name: 'Hash', value: <Copy value={hash}>{beginning(hash)}</Copy> },
          ]}
        />
      </section>
      <footer className="audit-same">
        <Button onPress={() => onFilter({ actor })}>All by this actor</Button>
        <Button onPress={() => onFilter({ action })}>All of this kind</Button>
      </footer>
    </>
  )
}

const beginning = (id: string) => (id.length > 24 ? `${id.slice(0, 20)}…` : id)

const asFact = ([name, value]: [string, unknown]): Fact => ({ name: fieldName(name), value: shown(value) })

function shown(value: unknown): ReactNode {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return typeof value === 'object' ? <pre>{JSON.stringify(value, undefined, 2)}</pre> : String(value)
}

/** Where the changed thing is now. */
function LinkTo({ action, sent }: { action: string; sent: Readonly<Record<string, unknown>> }) {
  const { name, decisionId, version } = sent
  if (typeof decisionId === 'string') {
    return (
      <Link to="/decisions/$decisionId" params={{ decisionId }}>
        Open the decision
      </Link>
    )
  }
  if (typeof name === 'string' && /list/i.test(action)) {
    return (
      <Link to="/lists/$name" params={{ name }}>
        Open the list
      </Link>
    )
  }
  if (typeof version === 'number' && /rule|publish/i.test(action)) {
    return (
      <Link to="/rules" search={{ version }}>
        Open version {version} of the rules
      </Link>
    )
  }
  return null
}
