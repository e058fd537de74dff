// Is the log as it was written? What the check of the whole chain found.

import type { UseMutationResult } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../../api/session.tsx'
import { useAct } from '../../api/use-call.ts'
import { Button } from '../../parts/button.tsx'
import { Copy } from '../../parts/copy.tsx'
import { CallError } from '../../parts/forms/call-error.tsx'
import { Icon } from '../../parts/icon.tsx'
import { locale } from '../../parts/values/locale.ts'
import { texts } from '../../texts.ts'
import { type Verification as Found, verifyLog } from './read-log.ts'
import './audit.css'

export type Verifying = UseMutationResult<Found, Error, void> & { readonly checked: number }

export function useVerification(): Verifying {
  const { call } = useSession()
  const [checked, setChecked] = useState(0)
  const verifying = useAct({ mutationFn: () => verifyLog(call, setChecked) })
  return { ...verifying, checked }
}

/** Nothing before the first check. */
export function Verification({ of: { data, error, isPending, checked, reset } }: { of: Verifying }) {
  return (
    <div role="status">
      {isPending && checked > 0 && <p className="dim audit-explained">{counted(checked)} checked so far</p>}
      {error && <CallError error={error} />}
      {data && <Result found={data} onClose={reset} />}
    </div>
  )
}

function Result({ found: { broken, lines, allErased, head }, onClose }: { found: Found; onClose: () => void }) {
  return (
    <section className={`audit-result ${broken ? 'red' : 'green'}`}>
      <Icon name={broken ? 'warning' : 'check'} size={18} />
      <div>
        <h2>{broken ? `The log was changed at line ${broken.number.toLocaleString(locale)}` : 'The log is intact'}</h2>
        <p>
          {broken
            ? `${broken.reason}. Lines before it are intact; do not trust those after it.`
            : `${counted(lines)} checked.${allErased > 0 ? ` Of ${counted(allErased)}, personal data was erased.` : ''}`}
        </p>
        {!broken && head !== undefined && (
          <p className="dim">
            Note this hash elsewhere: if lines are ever cut off at the end, it is no longer found.{' '}
            <Copy value={head}>{`${head.slice(0, 16)}…`}</Copy>
          </p>
        )}
      </div>
      <Button kind="quiet" square aria-label={texts.common.close} onPress={onClose}>
        <Icon name="close" />
      </Button>
    </section>
  )
}

const counted = (count: number) => `${count.toLocaleString(locale)} ${count === 1 ? 'line' : 'lines'}`
