// Where is a person or device exported and erased? On the page Privacy, with the subject filled in from the fragment.

import { useMay } from '../../api/session.tsx'
import { Link } from '../../parts/link.tsx'
import { fragmentOf, type Subject } from '../privacy/subject-names.ts'

export function PrivacyLink({ subject }: { subject: Subject }) {
  const may = useMay()
  const isExported = may('privacy.export')
  const isErased = may('privacy.erase')
  if (!isExported && !isErased) return null
  const name = isExported && isErased ? 'Export or erase' : isErased ? 'Erase' : 'Export'
  return (
    <Link to="/privacy" hash={fragmentOf(subject)} className="button plain">
      {name}
    </Link>
  )
}
