// What does a form do? One thing, when a person submits it.

import type { Ref } from 'react'
import { Form, type FormProps } from 'react-aria-components'

interface SubmitFormProps extends Omit<FormProps, 'onSubmit' | 'style'> {
  ref?: Ref<HTMLFormElement>
  onSubmit: () => void
}

export const SubmitForm = ({ onSubmit, ...props }: SubmitFormProps) => (
  <Form
    {...props}
    onSubmit={(event) => {
      event.preventDefault()
      onSubmit()
    }}
  />
)
