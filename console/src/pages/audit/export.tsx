// How is the log taken out? As a file of the lines that fit the filters, oldest first.

import { useState } from 'react'
import { useSession } from '../../api/session.tsx'
import { useAct } from '../../api/use-call.ts'
import { Button } from '../../parts/button.tsx'
import { Select } from '../../parts/field.tsx'
import { CallError } from '../../parts/forms/call-error.tsx'
import { Dialog } from '../../parts/overlay.tsx'
import { saveFile } from '../../parts/save-file.ts'
import { locale } from '../../parts/values/locale.ts'
import { texts } from '../../texts.ts'
import { type Format, formats } from './audit-file.ts'
import type { AuditFilters } from './filters.ts'
import { readLog } from './read-log.ts'
import './audit.css'

const names = { csv: formats.csv.name, ndjson: formats.ndjson.name }

export function Export({ filters }: { filters: AuditFilters }) {
  const { call } = useSession()
  const [isOpen, setOpen] = useState(false)
  const [format, setFormat] = useState<Format>('csv')
  const exporting = useAct({
    mutationFn: () => readLog(call, filters),
    onSuccess: ({ lines }) => {
      const { type, write } = formats[format]
      saveFile(`audit.${format}`, type, write(lines))
    },
  })
  const { data, error, isPending } = exporting
  const close = () => {
    setOpen(false)
    exporting.reset()
  }
  return (
    <>
      <Button onPress={() => setOpen(true)}>Export</Button>
      <Dialog title="Export the audit log" isOpen={isOpen} onClose={close}>
        <p className="dim audit-explained">
          {Object.keys(filters).length > 0
            ? 'The lines that fit the filters, oldest first.'
            : 'All lines, oldest first.'}
        </p>
        <Select label="Format" options={names} value={format} onChange={setFormat} />
        {error && <CallError error={error} />}
        {data && (
          <p role="status" className="audit-explained">
            {data.lines.length.toLocaleString(locale)} {data.lines.length === 1 ? 'line is' : 'lines are'} in the file.
            {!data.isComplete && ' There are more: use ringfence audit export for all of them.'}
          </p>
        )}
        <footer>
          <Button onPress={close}>{data ? texts.common.close : texts.common.cancel}</Button>
          <Button kind="primary" onPress={() => exporting.mutate()} isDisabled={isPending}>
            {isPending ? 'Reading…' : 'Save the file'}
          </Button>
        </footer>
      </Dialog>
    </>
  )
}
