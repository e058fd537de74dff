// What is the mark of the product? A ring with an opening, and its name.

import { Link } from '../parts/link.tsx'
import { texts } from '../texts.ts'

export function Mark({ size = 20 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect className="mark-ground" width="32" height="32" rx="8" />
      <path className="mark-ring" d="M16 6.5a9.5 9.5 0 1 0 9.5 9.5" />
      <circle className="mark-core" cx="16" cy="16" r="3.6" />
    </svg>
  )
}

export function Brand() {
  return (
    <Link to="/" className="brand" isCurrent={false}>
      <Mark />
      {texts.product}
    </Link>
  )
}
