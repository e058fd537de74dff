// Which number should be shown? It stays in the fragment of the URL.

import { useNavigate } from '@tanstack/react-router'
import { texts } from '../../texts.ts'
import { FindSubject } from '../subject/find-subject.tsx'

/** Digits with country code; undefined for anything else. */
export function digitsOf(text: string): string | undefined {
  const digits = text.replace(/[\s().-]/g, '').replace(/^(\+|00)/, '')
  return /^[0-9]{5,15}$/.test(digits) ? digits : undefined
}

export function FindNumber() {
  const navigate = useNavigate()
  return (
    <FindSubject
      title={texts.pages.numbers}
      icon="phone"
      question="Which number?"
      label="Phone number"
      placeholder="+91 70201 41726"
      read={(text) => {
        const id = digitsOf(text)
        return id === undefined ? { mistake: 'Write it with its country code, such as +91 70201 41726.' } : { id }
      }}
      onFound={(id) => void navigate({ to: '/number', hash: id })}
    >
      With its country code. Looking at a number calls no operator.
    </FindSubject>
  )
}
