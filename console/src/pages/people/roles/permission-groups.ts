// How are permissions shown? In groups, by the area that their name begins with.

import type { AnswerOf } from '../../../api/call.ts'

export type Permissions = AnswerOf<'listRoles'>['permissions']

interface PermissionGroup {
  readonly area: string
  readonly permissions: Permissions
}

const areas: Readonly<Record<string, string>> = {
  personalData: 'Personal data',
  signins: 'Sign-in',
  keys: 'Client keys',
  audit: 'Audit log',
  demo: 'Demo traffic',
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Each area once, where its first permission is. */
export function inGroups(permissions: Permissions): readonly PermissionGroup[] {
  const groups = Map.groupBy(permissions, ({ name }) => name.slice(0, name.indexOf('.')))
  return [...groups].map(([area, found]) => ({ area: areas[area] ?? capital(area), permissions: found }))
}

export const allowsOf = ({ allows }: Permissions[number]) => capital(allows)
