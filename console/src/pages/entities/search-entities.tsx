// Which row does a person look for? The whole value, or its first characters where the role sees values.

import { useState } from 'react'
import { useMay } from '../../api/session.tsx'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { SubmitForm } from '../../parts/forms/submit-form.tsx'
import './entities.css'

export interface Search {
  readonly text: string
  readonly isPrefix: boolean
}

interface SearchEntitiesProps {
  words: { readonly id: string; readonly placeholder: string }
  search: Search | undefined
  onSearch: (search: Search | undefined) => void
}

export function SearchEntities({ words, search, onSearch }: SearchEntitiesProps) {
  const may = useMay()
  const mayPrefix = may('personalData.read') && may('decisions.read')
  const [text, setText] = useState('')
  const find = (isPrefix: boolean) => {
    if (text.trim() !== '') onSearch({ text: text.trim(), isPrefix })
  }
  const clear = () => {
    setText('')
    onSearch(undefined)
  }
  return (
    <SubmitForm className="entity-search" onSubmit={() => find(false)}>
      <TextField label={words.id} value={text} onChange={setText} placeholder={words.placeholder} maxLength={10_000} />
      <Button type="submit" isDisabled={text.trim() === ''}>
        Find
      </Button>
      {mayPrefix && (
        <Button onPress={() => find(true)} isDisabled={text.trim() === '' || text.length > 100}>
          Begins with
        </Button>
      )}
      {search !== undefined && (
        <Button kind="quiet" onPress={clear}>
          Show all
        </Button>
      )}
    </SubmitForm>
  )
}
