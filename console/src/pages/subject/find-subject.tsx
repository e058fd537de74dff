// Which device, user or number? A field for its id, as the head of a page that has none yet.

import { type ReactNode, useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { TextField } from '../../parts/field.tsx'
import { SubmitForm } from '../../parts/forms/submit-form.tsx'
import type { IconName } from '../../parts/icon.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import './subject.css'

interface FindSubjectProps {
  title: string
  icon: IconName
  question: string
  label: string
  placeholder: string
  /** Where such an id comes from. */
  children: ReactNode
  /** The id as the page wants it, or what is wrong with it. */
  read: (text: string) => { readonly id: string } | { readonly mistake: string }
  onFound: (id: string) => void
}

export function FindSubject({ title, icon, question, label, placeholder, children, read, onFound }: FindSubjectProps) {
  const [text, setText] = useState('')
  const [mistake, setMistake] = useState<string>()
  return (
    <>
      <PageHead title={title} />
      <Empty icon={icon} title={question}>
        {children}
        <SubmitForm
          className="find-subject"
          onSubmit={() => {
            const found = read(text.trim())
            if ('id' in found) onFound(found.id)
            else setMistake(found.mistake)
          }}
        >
          <TextField
            label={label}
            value={text}
            onChange={(value) => {
              setText(value)
              setMistake(undefined)
            }}
            placeholder={placeholder}
            isInvalid={mistake !== undefined}
            {...(mistake !== undefined && { description: mistake })}
            autoFocus
            maxLength={256}
          />
          <Button kind="primary" type="submit" isDisabled={text.trim() === ''}>
            Open
          </Button>
        </SubmitForm>
      </Empty>
    </>
  )
}
