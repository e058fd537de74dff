// How does a person get a secret that is shown only now? In a dialog that closes when they say that they have stored it.

import type { ReactNode } from 'react'
import { Button } from '../button.tsx'
import { Copy } from '../copy.tsx'
import { Dialog } from '../overlay.tsx'

interface ShownOnceProps {
  title: string
  /** By their names. Undefined: the dialog is closed. */
  values: Readonly<Record<string, string>> | undefined
  onClose: () => void
  children?: ReactNode
}

export function ShownOnce({ title, values, onClose, children }: ShownOnceProps) {
  return (
    <Dialog title={title} isKept isOpen={values !== undefined} onClose={onClose}>
      <p className="shown-once-lead">
        Copy the secret now and store it where your backend reads its secrets. It is not shown again.
      </p>
      <dl className="shown-once">
        {Object.entries(values ?? {}).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Copy value={value} />
            </dd>
          </div>
        ))}
      </dl>
      {children}
      <footer>
        <Button kind="primary" onPress={onClose}>
          I have stored it
        </Button>
      </footer>
    </Dialog>
  )
}
