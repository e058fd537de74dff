// How do entries get into a list from a file, and out of it into one?

import { useState } from 'react'
import type { Call } from '../../../api/call.ts'
import { useMay } from '../../../api/session.tsx'
import type { ListPage } from '../../../api/types.ts'
import { useChange } from '../../../api/use-call.ts'
import { Button } from '../../../parts/button.tsx'
import { CallError } from '../../../parts/forms/call-error.tsx'
import { saveFile } from '../../../parts/save-file.ts'
import { csvOf } from './csv.ts'
import { ImportDialog } from './import-dialog.tsx'

/** Of a file in the memory of the page; the command line exports any number. */
const mostExported = 200_000

export function ListTransfer({ name }: { name: string }) {
  const seesValues = useMay()('personalData.read')
  const [isOpen, setOpen] = useState(false)
  const exporting = useChange(async (call) =>
    saveFile(`${name}.csv`, 'text/csv;charset=utf-8', csvOf(await allEntries(call, name))),
  )
  return (
    <>
      {seesValues && (
        <Button isDisabled={exporting.isPending} onPress={() => exporting.mutate()}>
          {exporting.isPending ? 'Exporting…' : 'Export'}
        </Button>
      )}
      <Button onPress={() => setOpen(true)}>Import</Button>
      {exporting.error && <CallError error={exporting.error} />}
      <ImportDialog name={name} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  )
}

/** Each value once: an entry that changes meanwhile comes again. */
async function allEntries(call: Call, name: string): Promise<ListPage['entries']> {
  const entries = new Map<string, ListPage['entries'][number]>()
  for (let cursor: string | undefined; ; ) {
    const page = await call('readList', { name, limit: 1_000, cursor })
    for (const entry of page.entries) {
      entries.delete(entry.value)
      entries.set(entry.value, entry)
    }
    if (entries.size > mostExported)
      throw new Error(`The list has more than 200,000 entries. Export it with: ringfence lists export ${name}`)
    if (page.next === undefined) return [...entries.values()]
    cursor = page.next
  }
}
