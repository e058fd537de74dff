// Is a value in a list? The service looks it up as a rule does, also among a million, with ranges and domains that match.

import { useState } from 'react'
import { useChange } from '../../api/use-call.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { CallError } from '../../parts/forms/call-error.tsx'
import { SubmitForm } from '../../parts/forms/submit-form.tsx'
import { Time } from '../../parts/values/time.tsx'
import './lists.css'

export function LookUp({ name }: { name: string }) {
  const [value, setValue] = useState('')
  const looking = useChange(async (call) => ({ value, ...(await call('lookUpList', { name, value })) }))
  const found = looking.data
  return (
    <SubmitForm className="look-up" onSubmit={() => looking.mutate()}>
      <TextField label="Look up" value={value} onChange={setValue} isRequired maxLength={256} />
      <Button type="submit" isDisabled={looking.isPending}>
        Look up
      </Button>
      <div className="look-up-found" role="status">
        {looking.error && <CallError error={looking.error} />}
        {found && !found.inList && (
          <p>
            <code>{found.value}</code> is not in the list.
          </p>
        )}
        {found?.entries.map((entry) => (
          <p key={entry.value}>
            <code>{found.value}</code> is in the list
            {entry.value !== found.value && (
              <>
                {' '}
                as <code>{entry.value}</code>
              </>
            )}
            : added by {entry.by}, <Time at={entry.addedAt} />
            {entry.expiresAt && (
              <>
                , expires <Time at={entry.expiresAt} />
              </>
            )}
            {entry.note && <span className="dim"> {entry.note}</span>}
          </p>
        ))}
      </div>
    </SubmitForm>
  )
}
