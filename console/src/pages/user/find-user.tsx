// Which user should be shown? The id stays in the fragment of the URL.

import { useNavigate } from '@tanstack/react-router'
import { texts } from '../../texts.ts'
import { FindSubject } from '../subject/find-subject.tsx'

export function FindUser() {
  const navigate = useNavigate()
  return (
    <FindSubject
      title={texts.pages.users}
      icon="user"
      question="Which user?"
      label="User id"
      placeholder="u-1001"
      read={(id) => ({ id })}
      onFound={(id) => void navigate({ to: '/user', hash: encodeURIComponent(id) })}
    >
      Your id of the user, as your backend sends it. It is compared letter by letter.
    </FindSubject>
  )
}
