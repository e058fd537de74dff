// How long is data stored, and who was erased? Retention by kind, export and erase of a person or device, receipts.

import { useLocation } from '@tanstack/react-router'
import { useMay } from '../../api/session.tsx'
import type { ErasureReceipt } from '../../api/types.ts'
import { useRead } from '../../api/use-call.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Empty, Failed, Loading } from '../../parts/empty.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Table } from '../../parts/table.tsx'
import { locale } from '../../parts/values/locale.ts'
import { Time } from '../../parts/values/time.tsx'
import { texts } from '../../texts.ts'
import { Reveals } from './reveals.tsx'
import { saveJson } from './save-json.ts'
import { SubjectForm } from './subject-form.tsx'
import { subjectIn, subjectNames } from './subject-names.ts'
import './privacy.css'

export function PrivacyPage() {
  const may = useMay()
  const { hash } = useLocation()
  return (
    <>
      <PageHead title={texts.pages.privacy} />
      <div className="privacy">
        {(may('privacy.export') || may('privacy.erase')) && (
          <Card title="Export or erase a person or device">
            <SubjectForm key={hash} initial={subjectIn(hash)} />
          </Card>
        )}
        <Receipts />
        <Reveals />
        <RetentionTable />
      </div>
    </>
  )
}

function Receipts() {
  const { data, error, refetch } = useRead('listErasures', {})
  if (error && !data) return <Failed error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  return (
    <section>
      <h2>Receipts</h2>
      {data.receipts.length === 0 ? (
        <Empty icon="lists" title="Nobody was erased yet">
          Each erasure leaves a signed receipt here. It says what was erased and who did it, and does not name the
          person.
        </Empty>
      ) : (
        <div className="table-frame">
          <Table head={{ Erased: '', By: '', Kind: 'wide', Reason: 'wide', Rows: 'number', Receipt: 'hidden' }}>
            {data.receipts.map((receipt) => (
              <tr key={receipt.id}>
                <td className="dim">
                  <Time at={receipt.erasedAt} />
                </td>
                <td>{receipt.by}</td>
                <td className="wide">{subjectNames[receipt.subject.kind]}</td>
                <td className="wide">{receipt.reason}</td>
                <td className="number">{rowsOf(receipt).toLocaleString(locale)}</td>
                <td className="number">
                  <Button onPress={() => saveJson(`receipt-${receipt.id}.json`, receipt)}>Download</Button>
                </td>
              </tr>
            ))}
          </Table>
        </div>
      )}
    </section>
  )
}

const rowsOf = ({ erased }: ErasureReceipt) => Object.values(erased).reduce((sum, rows) => sum + rows, 0)

function RetentionTable() {
  const { data, error, refetch } = useRead('readRetention', {})
  if (error && !data) return <Failed error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  return (
    <section>
      <h2>How long data is stored</h2>
      <div className="table-frame">
        <Table head={{ Data: '', Stored: '', Setting: 'wide', Note: 'wide' }}>
          {data.kinds.map(({ kind, days, setting, note }) => (
            <tr key={kind}>
              <td>{kind}</td>
              <td className="stored-for">{lifetime(days)}</td>
              <td className="wide stored-for">{setting && <code>{setting}</code>}</td>
              <td className="wide dim">{note}</td>
            </tr>
          ))}
        </Table>
      </div>
    </section>
  )
}

const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`

function lifetime(days: number | undefined): string {
  if (days === undefined) return 'Until deleted'
  if (days === 0) return 'Not stored'
  if (days < 1) return counted(Math.max(1, Math.round(days * 24)), 'hour')
  return days === 1 ? '1 day' : `${days.toLocaleString(locale)} days`
}
