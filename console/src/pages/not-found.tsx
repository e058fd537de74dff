// What does a wrong link show? Where one can go from there.

import { Empty } from '../parts/empty.tsx'
import { Link } from '../parts/link.tsx'
import { PageHead } from '../parts/page-head.tsx'

export function NotFound() {
  return (
    <>
      <PageHead title="Not found" />
      <Empty icon="search" title="There is no such page" action={<Link to="/live">Go to the live page</Link>}>
        The link may be old. Search for what you need with <kbd>/</kbd>.
      </Empty>
    </>
  )
}
