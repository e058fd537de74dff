// Who and what is linked to the subject, and which of it is exported or erased with it?

import { CheckboxGroup, Label, Text } from 'react-aria-components'
import { Loading } from '../../parts/empty.tsx'
import { GroupedCheck } from '../../parts/forms/checks.tsx'
import { keyOf, type LinkedSubject } from './find-links.ts'
import { subjectNames } from './subject-names.ts'
import type { FoundLinks } from './use-links.ts'
import './privacy.css'

interface LinkedSubjectsProps extends FoundLinks {
  /** Keys of those that go with it. */
  chosen: readonly string[]
  onChoose: (keys: string[]) => void
}

export function LinkedSubjects({ links, error, isLooking, isForbidden, chosen, onChoose }: LinkedSubjectsProps) {
  if (isForbidden) return <p className="dim privacy-note">Your role may not see who is linked to it. They stay.</p>
  if (error) return <p className="dim privacy-note">Who is linked to it is not known: {error.message}</p>
  if (!links) return isLooking ? <Loading lines={2} /> : null
  const { subjects, unknown } = links
  if (subjects.length === 0 && unknown === 0) {
    return <p className="dim privacy-note">No user, number, address or device is linked to it.</p>
  }
  const masked = subjects.filter(({ isMasked }) => isMasked)
  return (
    <div className="privacy-links">
      {subjects.length > masked.length && (
        <CheckboxGroup className="checks" value={[...chosen]} onChange={onChoose}>
          <Label>Linked to it</Label>
          <Text slot="description">
            What you do not tick stays. Tick what belongs to the same person: a number or device may have several users.
          </Text>
          {subjects.map(
            (each) =>
              !each.isMasked && (
                <GroupedCheck key={keyOf(each)} value={keyOf(each)}>
                  {nameOf(each)} <span className="dim">{each.how}</span>
                </GroupedCheck>
              ),
          )}
        </CheckboxGroup>
      )}
      {masked.length > 0 && (
        <div className="privacy-note">
          <p className="dim">Also linked. You see them masked, so they stay until you type the whole value above:</p>
          <ul>
            {masked.map((each) => (
              <li key={keyOf(each)}>
                {nameOf(each)} <span className="dim">{each.how}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {unknown > 0 && (
        <p className="dim privacy-note">
          {unknown} more {unknown === 1 ? 'account' : 'accounts'}: not known by name, because only keyed hashes are
          stored.
        </p>
      )}
    </div>
  )
}

export const nameOf = ({ kind, value }: Pick<LinkedSubject, 'kind' | 'value'>): string =>
  `${subjectNames[kind]} ${value}`
