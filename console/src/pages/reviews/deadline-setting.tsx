// How long have reviewers? Everybody sees it; who may set it changes it here.

import { useState } from 'react'
import { useMay } from '../../api/session.tsx'
import { useChange } from '../../api/use-call.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { DialogForm } from '../../parts/forms/dialog-form.tsx'
import { Dialog } from '../../parts/overlay.tsx'
import { texts } from '../../texts.ts'
import './reviews.css'

const most = 720

export function DeadlineSetting({ dueHours }: { dueHours: number }) {
  const mayChange = useMay()('reviews.policy')
  const [isOpen, setOpen] = useState(false)
  if (!mayChange) return null
  return (
    <>
      <Button kind="quiet" onPress={() => setOpen(true)}>
        {texts.reviews.deadline}: {dueHours} h
      </Button>
      <Dialog title={texts.reviews.deadline} isOpen={isOpen} onClose={() => setOpen(false)}>
        <DeadlineForm dueHours={dueHours} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function DeadlineForm({ dueHours, onDone }: { dueHours: number; onDone: () => void }) {
  const [text, setText] = useState(String(dueHours))
  const hours = Number(text)
  const isWrong = !Number.isInteger(hours) || hours < 1 || hours > most
  const setting = useChange((call) => call('setReviewDeadline', { dueHours: hours }), {
    reads: ['listReviews', 'readReview', 'readOverview'],
    onDone,
  })
  return (
    <DialogForm
      change={setting}
      onSubmit={() => {
        if (!isWrong) setting.mutate()
      }}
      onClose={onDone}
      action="Save"
      isDisabled={isWrong}
    >
      <div className="deadline-hours">
        <TextField
          label="Hours"
          value={text}
          onChange={setText}
          inputMode="numeric"
          isInvalid={isWrong}
          description={`1 to ${most}, from the decision on`}
        />
      </div>
      <p className="dim">
        It also applies to reviews that are open now. A review past its deadline is shown as overdue and stays open:
        nothing decides it automatically.
      </p>
    </DialogForm>
  )
}
