// Where does one type what one looks for? A box on every page; what it finds is a link.

import { useNavigate } from '@tanstack/react-router'
import { type Ref, useState } from 'react'
import { linkTo, recognise } from '../pages/search/recognise.ts'
import { Icon } from '../parts/icon.tsx'
import { texts } from '../texts.ts'

export function SearchBox({ ref }: { ref: Ref<HTMLInputElement> }) {
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const found = recognise(text)
  return (
    <search>
      <form
        className="search-box"
        onSubmit={(event) => {
          event.preventDefault()
          if (!found) return
          setText('')
          if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
          void navigate(linkTo(found))
        }}
      >
        <Icon name="search" size={14} />
        <input
          ref={ref}
          type="search"
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={({ key, currentTarget }) => key === 'Escape' && currentTarget.blur()}
          placeholder={texts.search.placeholder}
          aria-label={texts.search.placeholder}
          aria-describedby="search-kind"
          title={texts.search.help}
          autoComplete="off"
          spellCheck={false}
        />
        <span id="search-kind" className="search-kind" aria-live="polite">
          {found ? found.name : <kbd>/</kbd>}
        </span>
      </form>
    </search>
  )
}
