// Which users are there?

import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { usePages } from '../../api/use-call.ts'
import { Link } from '../../parts/link.tsx'
import { texts } from '../../texts.ts'
import { EntityTable } from './entity-table.tsx'
import type { Search } from './search-entities.tsx'

export function UsersTable() {
  const { filter = 'riskiest' } = useSearch({ from: '/user' })
  const [search, setSearch] = useState<Search>()
  const asked = search
    ? { filter: 'all' as const, [search.isPrefix ? 'beginsWith' : 'userId']: search.text }
    : { filter }
  const answer = usePages('listUsers', asked, (pages) =>
    pages.flatMap(({ rows }) => rows.map(({ userId: id, ...row }) => ({ id, ...row }))),
  )
  return (
    <EntityTable
      title={texts.pages.users}
      icon="user"
      words={{ id: 'User id', field: 'userId', shared: 'Devices', placeholder: 'u-1001' }}
      path="/user"
      filter={filter}
      search={search}
      onSearch={setSearch}
      listKind="userId"
      of={answer}
      linkTo={(id) => (
        <Link to="/user" hash={encodeURIComponent(id)}>
          {id}
        </Link>
      )}
    />
  )
}
