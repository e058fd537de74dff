// Which number should be shown? It stays in the fragment of the URL.

import { useNavigate } from '@tanstack/react-router'
import { texts } from '../../texts.ts'
import { mayBeNumber } from '../search/recognise.ts'
import { FindSubject } from '../subject/find-subject.tsx'

export function FindNumber() {
  const navigate = useNavigate()
  return (
    <FindSubject
      title={texts.pages.numbers}
      icon="phone"
      question="Which number?"
      label="Phone number"
      placeholder="+91 70201 41726"
      read={(text) =>
        mayBeNumber(text)
          ? { id: text.trim() }
          : { mistake: 'Write it with its country code, such as +91 70201 41726.' }
      }
      onFound={(id) => void navigate({ to: '/number', hash: encodeURIComponent(id) })}
    >
      With its country code. Looking at a number calls no operator.
    </FindSubject>
  )
}
