// Which devices are there?

import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { usePages } from '../../api/use-call.ts'
import { Link } from '../../parts/link.tsx'
import { texts } from '../../texts.ts'
import { EntityTable } from './entity-table.tsx'
import type { Search } from './search-entities.tsx'

export function DevicesTable() {
  const { filter = 'riskiest' } = useSearch({ from: '/devices' })
  const [search, setSearch] = useState<Search>()
  const asked = search
    ? { filter: 'all' as const, [search.isPrefix ? 'beginsWith' : 'deviceId']: search.text }
    : { filter }
  const answer = usePages('listDevices', asked, (pages) =>
    pages.flatMap(({ rows }) => rows.map(({ deviceId: id, ...row }) => ({ id, ...row }))),
  )
  return (
    <EntityTable
      title={texts.pages.devices}
      icon="device"
      words={{
        id: 'Device id',
        field: 'deviceId',
        shared: 'Users',
        placeholder: '567f4354-0c1b-4a56-8a4e-9d1c35f7a111',
      }}
      path="/devices"
      filter={filter}
      search={search}
      onSearch={setSearch}
      listKind="deviceId"
      of={answer}
      linkTo={(id) => (
        <Link to="/devices/$deviceId" params={{ deviceId: id }}>
          {id}
        </Link>
      )}
    />
  )
}
