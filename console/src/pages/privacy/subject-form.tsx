// Which person or device is exported or erased, and why? To erase, the value is typed once more.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Form } from 'react-aria-components'
import { useMay, useSession } from '../../api/session.tsx'
import type { ErasureReceipt } from '../../api/types.ts'
import { Button } from '../../parts/button.tsx'
import { Select, TextField } from '../../parts/field.tsx'
import { saveJson } from './save-json.ts'
import { type Subject, subjectNames } from './subject-names.ts'

type Kind = keyof typeof subjectNames

const whatToType: Readonly<Record<Kind, string>> = {
  phoneNumber: 'Digits with country code, such as 917020141726',
  email: 'The email address, in any case',
  userId: 'Your id of the user',
  deviceId: 'The device id of a report',
}

const listed = { keep: 'Keep entries of lists that name it', remove: 'Remove them too' } as const

/** @param initial from a link on the page of a user, number or device */
export function SubjectForm({ initial }: { initial: Subject | undefined }) {
  const { call } = useSession()
  const may = useMay()
  const queries = useQueryClient()
  const [kind, setKind] = useState<Kind>(initial?.kind ?? 'phoneNumber')
  const [typed, setTyped] = useState(initial?.value ?? '')
  const [reason, setReason] = useState('')
  const [again, setAgain] = useState('')
  const [lists, setLists] = useState<keyof typeof listed>('keep')
  const value = typed.trim()
  const subject = { kind, value }
  const isComplete = value !== '' && reason.trim().length >= 3
  const exporting = useMutation({
    mutationFn: () => call('exportSubject', { subject, reason }),
    onSuccess: (found) => saveJson('export.json', found),
  })
  const erasing = useMutation({
    mutationFn: () => call('eraseSubject', { subject, reason, keepListEntries: lists === 'keep' }),
    onSuccess: async () => {
      setTyped('')
      setAgain('')
      // Other pages may show what is gone.
      await queries.invalidateQueries()
    },
  })
  const error = exporting.error ?? erasing.error
  const isBusy = exporting.isPending || erasing.isPending
  return (
    <Form className="privacy-form" onSubmit={(event) => event.preventDefault()}>
      <Select label="What you have" options={subjectNames} value={kind} onChange={setKind} />
      <TextField
        label={subjectNames[kind]}
        name="subject"
        description={whatToType[kind]}
        value={typed}
        onChange={setTyped}
        autoComplete="off"
      />
      <TextField
        label="Reason"
        name="reason"
        description="For the audit log and the receipt, such as the number of a ticket. Do not name the person"
        value={reason}
        onChange={setReason}
        maxLength={500}
      />
      {may('privacy.export') && (
        <div className="privacy-actions">
          <Button isDisabled={!isComplete || isBusy} onPress={() => exporting.mutate()}>
            {exporting.isPending ? 'Exporting…' : 'Export as JSON'}
          </Button>
          {exporting.data && <Exported count={exporting.data.records.length} complete={exporting.data.complete} />}
        </div>
      )}
      {may('privacy.erase') && (
        <div className="privacy-erase">
          <Select label="Block lists and others" options={listed} value={lists} onChange={setLists} />
          <TextField
            label="To erase, type it once more"
            name="again"
            description="It cannot be undone. Verify who asks: a fraudster also wants history erased"
            value={again}
            onChange={setAgain}
            autoComplete="off"
          />
          <Button
            kind="danger"
            isDisabled={!isComplete || isBusy || again.trim() !== value}
            onPress={() => erasing.mutate()}
          >
            {erasing.isPending ? 'Erasing…' : 'Erase'}
          </Button>
        </div>
      )}
      <div role="status">
        {error && <p className="privacy-error">{error.message}</p>}
        {erasing.data && <Erased receipt={erasing.data} />}
      </div>
    </Form>
  )
}

function Exported({ count, complete }: { count: number; complete: boolean }) {
  return (
    <span className="dim">
      {count.toLocaleString('en')} records saved{!complete && '. There are more: use ringfence privacy export'}
    </span>
  )
}

function Erased({ receipt }: { receipt: ErasureReceipt }) {
  const kinds = Object.entries(receipt.erased)
  const kept = Object.values(receipt.kept).reduce((sum, rows) => sum + rows, 0)
  return (
    <div className="privacy-erased">
      <p>
        {kinds.length === 0
          ? 'Nothing was stored about it.'
          : `Erased: ${kinds.map(([name, rows]) => `${name} ${rows}`).join(', ')}.`}
        {kept > 0 && ` ${kept} list entries were kept.`}
      </p>
      <Button onPress={() => saveJson(`receipt-${receipt.id}.json`, receipt)}>Download the receipt</Button>
    </div>
  )
}
