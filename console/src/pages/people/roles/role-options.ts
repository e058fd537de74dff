// Which roles may this person give? Those that allow nothing that they lack themselves.

import { useMay, useSession } from '../../../api/session.tsx'
import { useRead } from '../../../api/use-call.ts'

const builtIn: Readonly<Record<string, string>> = {
  viewer: 'Viewer: reads, and changes nothing',
  support: 'Support: helps users with their devices',
  analyst: 'Analyst: labels, reviews and lists',
  admin: 'Admin: everything but who is an owner',
  owner: 'Owner: everything',
}

/** Names of the roles with what they are for, own ones last. */
export function useRoleOptions(): Readonly<Record<string, string>> {
  const { me } = useSession()
  const may = useMay()
  const { data } = useRead('listRoles', {}, { enabled: may('people.read') })
  const { owner: _, ...others } = builtIn
  const own = (data?.roles ?? []).filter(
    ({ isBuiltIn, permissions }) => !isBuiltIn && permissions.every((each) => may(each)),
  )
  return {
    ...(me?.role === 'owner' ? builtIn : others),
    ...Object.fromEntries(own.map(({ name, description }) => [name, description ? `${name}: ${description}` : name])),
  }
}
