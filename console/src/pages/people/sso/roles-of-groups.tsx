// Which group gives which role? The first one in the list that a person has.

import { Button } from '../../../parts/button.tsx'
import { Select, TextField } from '../../../parts/field.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { texts } from '../../../texts.ts'
import { useRoleOptions } from '../roles/role-options.ts'
import './sso.css'

export interface RowOfGroup {
  /** For React: rows have no other id. */
  readonly key: number
  readonly group: string
  readonly role: string
}

export const rowsOf = (roles: readonly { group: string; role: string }[]): readonly RowOfGroup[] =>
  roles.length === 0 ? [{ key: 0, group: '', role: 'analyst' }] : roles.map((row, key) => ({ key, ...row }))

interface RolesOfGroupsProps {
  rows: readonly RowOfGroup[]
  onChange: (rows: readonly RowOfGroup[]) => void
}

export function RolesOfGroups({ rows, onChange }: RolesOfGroupsProps) {
  const { owner: _, ...options } = useRoleOptions()
  const names = Object.fromEntries(Object.keys(options).map((name) => [name, name]))
  const change = (key: number, part: Partial<RowOfGroup>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...part } : row)))
  return (
    <fieldset className="sso-roles">
      <legend>{texts.sso.rolesOfGroups}</legend>
      <p className="dim">{texts.sso.firstGroup}</p>
      {rows.map(({ key, group, role }) => (
        <div className="sso-role" key={key}>
          <TextField
            label={texts.sso.group}
            value={group}
            onChange={(value) => change(key, { group: value })}
            maxLength={300}
            placeholder="fraud-team"
          />
          <Select
            label={texts.sso.role}
            options={names}
            value={role}
            onChange={(value) => change(key, { role: value })}
          />
          <Button
            kind="quiet"
            square
            aria-label={texts.sso.removeGroup(group)}
            onPress={() => onChange(rows.filter((row) => row.key !== key))}
          >
            <Icon name="close" />
          </Button>
        </div>
      ))}
      <Button
        onPress={() =>
          onChange([...rows, { key: Math.max(-1, ...rows.map(({ key }) => key)) + 1, group: '', role: 'viewer' }])
        }
      >
        {texts.sso.addGroup}
      </Button>
    </fieldset>
  )
}
