// Which numbers are there?

import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { usePages } from '../../api/use-call.ts'
import { Link } from '../../parts/link.tsx'
import { phoneText } from '../../parts/values/format.ts'
import { texts } from '../../texts.ts'
import { EntityTable } from './entity-table.tsx'
import type { Search } from './search-entities.tsx'

export function NumbersTable() {
  const { filter = 'riskiest' } = useSearch({ from: '/number' })
  const [search, setSearch] = useState<Search>()
  const asked = search
    ? { filter: 'all' as const, [search.isPrefix ? 'beginsWith' : 'phoneNumber']: search.text }
    : { filter }
  const answer = usePages('listNumbers', asked, (pages) =>
    pages.flatMap(({ rows }) => rows.map(({ phoneNumber: id, ...row }) => ({ id, ...row }))),
  )
  return (
    <EntityTable
      title={texts.pages.numbers}
      icon="phone"
      words={{ id: 'Phone number', field: 'phoneNumber', shared: 'Users', placeholder: '+91 70201 41726' }}
      path="/number"
      filter={filter}
      search={search}
      onSearch={setSearch}
      listKind="phoneNumber"
      of={answer}
      linkTo={(id) => (
        <Link to="/number" hash={encodeURIComponent(id)}>
          {phoneText(id)}
        </Link>
      )}
    />
  )
}
