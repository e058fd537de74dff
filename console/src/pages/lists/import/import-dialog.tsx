// What will a file change? A person sees it before anything is written: what is new, what changes, and which lines are wrong.

import { FileTrigger } from 'react-aria-components'
import { useReadAgain } from '../../../api/use-call.ts'
import { Button } from '../../../parts/button.tsx'
import { CallError } from '../../../parts/forms/call-error.tsx'
import { Dialog } from '../../../parts/overlay.tsx'
import { percent } from '../../../parts/values/format.ts'
import { locale } from '../../../parts/values/locale.ts'
import { texts } from '../../../texts.ts'
import { listReads } from '../list-words.ts'
import { type Import, type Preview, useImport } from './use-import.ts'
import './import.css'

interface ImportDialogProps {
  name: string
  isOpen: boolean
  onClose: () => void
}

export function ImportDialog({ name, isOpen, onClose }: ImportDialogProps) {
  const importing = useImport(name)
  const readAgain = useReadAgain(listReads)
  const { current } = importing
  const close = () => {
    importing.reset()
    onClose()
    void readAgain()
  }
  const write = async (preview: Preview, from: number) => {
    await importing.write(preview, from)
    await readAgain()
  }
  return (
    <Dialog title={`Import into ${name}`} isOpen={isOpen} onClose={close}>
      <div className="import" aria-live="polite">
        <ImportState current={current} onFile={(file) => void importing.read(file)} />
      </div>
      <footer>
        {current.state === 'done' ? (
          <Button kind="primary" onPress={close}>
            {texts.common.close}
          </Button>
        ) : (
          <>
            <Button onPress={current.state === 'writing' ? importing.stop : close}>
              {current.state === 'writing' ? 'Stop' : texts.common.cancel}
            </Button>
            {current.state === 'read' && (
              <Button
                kind="primary"
                isDisabled={current.preview.entries.length === 0}
                onPress={() => void write(current.preview, 0)}
              >
                {importWords(current.preview.entries.length)}
              </Button>
            )}
            {current.state === 'stopped' && (
              <Button kind="primary" onPress={() => void write(current.preview, current.done)}>
                Continue
              </Button>
            )}
          </>
        )}
      </footer>
    </Dialog>
  )
}

const figure = (count: number) => count.toLocaleString(locale)
const importWords = (count: number) => (count === 1 ? 'Import 1 entry' : `Import ${figure(count)} entries`)

function ImportState({ current, onFile }: { current: Import; onFile: (file: File) => void }) {
  switch (current.state) {
    case 'waiting':
      return (
        <>
          <p className="dim">
            One value in a line, or CSV with a first line <code>value,expires,note</code>. At most 10 MB and 100,000
            lines. Nothing is written before you have seen what it changes.
          </p>
          <ChooseFile onFile={onFile} />
          {current.mistake && (
            <p className="import-mistake" role="alert">
              {current.mistake}
            </p>
          )}
        </>
      )
    case 'reading':
      return <Progress words="Reading" done={current.done} total={current.total} />
    case 'writing':
      return <Progress words="Importing" done={current.done} total={current.preview.entries.length} />
    case 'read':
      return (
        <>
          <PreviewView preview={current.preview} />
          <ChooseFile onFile={onFile} again />
        </>
      )
    case 'stopped':
      return (
        <>
          <p>
            {figure(current.done)} of {figure(current.preview.entries.length)} entries are imported. The others are not.
          </p>
          {current.error !== undefined && <CallError error={current.error} />}
        </>
      )
    case 'done':
      return (
        <p>
          {figure(current.preview.added)} added, {figure(current.preview.changed)} changed.
        </p>
      )
    case 'failed':
      return (
        <>
          <CallError error={current.error} />
          <ChooseFile onFile={onFile} again />
        </>
      )
  }
}

function ChooseFile({ onFile, again = false }: { onFile: (file: File) => void; again?: boolean }) {
  return (
    <FileTrigger
      acceptedFileTypes={['.csv', '.txt', 'text/csv', 'text/plain']}
      onSelect={(files) => files?.[0] && onFile(files[0])}
    >
      <Button>{again ? 'Choose another file' : 'Choose a file'}</Button>
    </FileTrigger>
  )
}

function Progress({ words, done, total }: { words: string; done: number; total: number }) {
  return (
    <p className="import-progress">
      <span>{words}…</span>
      <progress value={done} max={total} aria-label={words} />
      <span className="figures dim">{percent(Math.floor((100 * done) / Math.max(1, total)) / 100)}</span>
    </p>
  )
}

const mostShown = 100

function PreviewView({ preview }: { preview: Preview }) {
  const { file, entries, added, changed, unchanged, repeated, malformed } = preview
  return (
    <>
      <p className="dim">{file}</p>
      <dl className="import-counts">
        <Count name="New" count={added} />
        <Count name="Changed" count={changed} title="In the list with another note or expiry" />
        <Count name="Already there" count={unchanged} />
        <Count name="Repeated" count={repeated} title="The last line of a value counts" />
        <Count name="Malformed" count={malformed.length} isBad={malformed.length > 0} />
      </dl>
      {malformed.length > 0 && (
        <section className="import-lines">
          <h3>These lines are left out</h3>
          <ol>
            {malformed.slice(0, mostShown).map(({ line, mistake }) => (
              <li key={line}>
                <span className="figures dim">{line}</span> {mistake}
              </li>
            ))}
          </ol>
          {malformed.length > mostShown && <p className="dim">and {figure(malformed.length - mostShown)} more</p>}
        </section>
      )}
      {entries.length > 0 && (
        <section className="import-lines">
          <h3>First entries</h3>
          <ol>
            {entries.slice(0, 5).map(({ value, note, expiresAt }) => (
              <li key={value}>
                <code>{value}</code>{' '}
                <span className="dim">{[note, expiresAt?.slice(0, 10)].filter(Boolean).join(' · ')}</span>
              </li>
            ))}
          </ol>
        </section>
      )}
    </>
  )
}

interface CountProps {
  name: string
  count: number
  title?: string
  isBad?: boolean
}

function Count({ name, count, title, isBad = false }: CountProps) {
  return (
    <div title={title}>
      <dt>{name}</dt>
      <dd className={`figures${isBad ? ' bad' : ''}`}>{figure(count)}</dd>
    </div>
  )
}
