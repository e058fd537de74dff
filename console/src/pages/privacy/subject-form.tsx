// Which person or device is exported or erased, together with which others, and why? To erase, the value is typed once more.

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Form } from 'react-aria-components'
import { useMay, useSession } from '../../api/session.tsx'
import { useAct } from '../../api/use-call.ts'
import { Button } from '../../parts/button.tsx'
import { Select, TextField } from '../../parts/field.tsx'
import { locale } from '../../parts/values/locale.ts'
import { ErasedList, type ErasedSubjects } from './erasures.tsx'
import { keyOf } from './find-links.ts'
import { LinkedSubjects } from './linked-subjects.tsx'
import { mergedExport } from './merged-export.ts'
import { saveJson } from './save-json.ts'
import { type Subject, subjectNames } from './subject-names.ts'
import { useLinks } from './use-links.ts'
import './privacy.css'

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
  const [chosen, setChosen] = useState<readonly string[]>([])
  const value = typed.trim()
  const subject: Subject = { kind, value }
  const found = useLinks(subject)
  const linked = found.links?.subjects ?? []
  const taken = linked.filter((each) => !each.isMasked && chosen.includes(keyOf(each)))
  // What was found last goes first: when one fails, the others are still linked.
  const others = taken.map((each): Subject => ({ kind: each.kind, value: each.value })).toReversed()
  const all: readonly Subject[] = [...others, subject]
  const isComplete = value !== '' && reason.trim().length >= 3
  const exporting = useAct({
    mutationFn: async () => {
      const exports = []
      for (const each of all) exports.push(await call('exportSubject', { subject: each, reason }))
      return mergedExport(exports)
    },
    onSuccess: (merged) => saveJson('export.json', merged),
  })
  const erasing = useAct({
    mutationFn: async (): Promise<ErasedSubjects> => {
      const erased = []
      for (const each of all) {
        const receipt = await call('eraseSubject', { subject: each, reason, keepListEntries: lists === 'keep' })
        erased.push({ subject: each, receipt })
      }
      return {
        erased: erased.toReversed(),
        left: linked.filter((each) => !taken.includes(each)),
        unknown: found.links?.unknown ?? 0,
        isUnsure: found.links === undefined,
      }
    },
    onSuccess: async () => {
      change({ typed: '' })
      setAgain('')
      // Other pages may show what is gone.
      await queries.invalidateQueries()
    },
    // What is linked stays on the page until all of it is erased.
    onError: () => queries.invalidateQueries({ queryKey: ['listErasures'] }),
  })
  const change = (next: { kind?: Kind; typed?: string }) => {
    setKind(next.kind ?? kind)
    setTyped(next.typed ?? typed)
    setChosen([])
  }
  const error = exporting.error ?? erasing.error
  const isBusy = exporting.isPending || erasing.isPending
  return (
    <Form className="privacy-form" onSubmit={(event) => event.preventDefault()}>
      <Select label="What you have" options={subjectNames} value={kind} onChange={(next) => change({ kind: next })} />
      <TextField
        label={subjectNames[kind]}
        name="subject"
        description={whatToType[kind]}
        value={typed}
        onChange={(next) => change({ typed: next })}
        autoComplete="off"
      />
      <LinkedSubjects {...found} chosen={chosen} onChoose={setChosen} />
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
            {exporting.isPending ? 'Exporting…' : withLinked('Export as JSON', taken.length)}
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
            isDisabled={!isComplete || isBusy || found.isLooking || again.trim() !== value}
            onPress={() => erasing.mutate()}
          >
            {erasing.isPending ? 'Erasing…' : withLinked('Erase', taken.length)}
          </Button>
        </div>
      )}
      <div role="status">
        {error && <p className="privacy-error">{error.message}</p>}
        {erasing.error && taken.length > 0 && <p>The receipts say what was erased before. Erase again to go on.</p>}
        {erasing.data && <ErasedList of={erasing.data} />}
      </div>
    </Form>
  )
}

function Exported({ count, complete }: { count: number; complete: boolean }) {
  return (
    <span className="dim">
      {count.toLocaleString(locale)} records saved{!complete && '. There are more: use ringfence privacy export'}
    </span>
  )
}

const withLinked = (name: string, count: number) => (count === 0 ? name : `${name}, with ${count} linked`)
