// What does each role allow? A matrix of permissions and roles, those of the tenant among them.

import { Fragment, useState } from 'react'
import { Button as AriaButton, MenuTrigger } from 'react-aria-components'
import { useMay } from '../../../api/session.tsx'
import type { ListedRole } from '../../../api/types.ts'
import { useRead } from '../../../api/use-call.ts'
import { Button } from '../../../parts/button.tsx'
import { Failed, Loading } from '../../../parts/empty.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { Item, Menu } from '../../../parts/overlay.tsx'
import { PageHead } from '../../../parts/page-head.tsx'
import { texts } from '../../../texts.ts'
import { PeopleTabs } from '../people-tabs.tsx'
import { allowsOf, inGroups, type Permissions } from './permission-groups.ts'
import { RemoveRole, RoleDialog } from './role-dialogs.tsx'
import './roles.css'

/** What is open over the page. */
type Open = { readonly dialog: 'new' } | { readonly dialog: 'edit' | 'remove'; readonly role: ListedRole }

export function RolesPage() {
  const may = useMay()
  const [open, setOpen] = useState<Open>()
  const { data, error, refetch } = useRead('listRoles', {})
  const close = () => setOpen(undefined)
  return (
    <>
      <PageHead title={texts.people.roles} under={texts.people.rolesUnder}>
        {may('people.write') && data && (
          <Button kind="primary" onPress={() => setOpen({ dialog: 'new' })}>
            {texts.people.newRole}
          </Button>
        )}
      </PageHead>
      <PeopleTabs />
      {data ? (
        <Matrix roles={data.roles} permissions={data.permissions} onOpen={setOpen} />
      ) : error ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading />
      )}
      {data && open?.dialog === 'new' && <RoleDialog all={data} onClose={close} />}
      {data && open?.dialog === 'edit' && <RoleDialog all={data} role={open.role} onClose={close} />}
      {open?.dialog === 'remove' && <RemoveRole role={open.role} onClose={close} />}
    </>
  )
}

interface MatrixProps {
  roles: readonly ListedRole[]
  permissions: Permissions
  onOpen: (open: Open) => void
}

function Matrix({ roles, permissions, onOpen }: MatrixProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who has only a keyboard scrolls it by arrow keys (axe, scrollable-region-focusable)
    <section className="table-frame roles-frame" aria-label={texts.people.matrix} tabIndex={0}>
      <table className="table roles">
        <thead>
          <tr>
            <th scope="col">{texts.people.permission}</th>
            {roles.map((role) => (
              <th scope="col" key={role.name} title={role.description}>
                <span className="role-head">
                  <span className={role.isBuiltIn ? 'role' : undefined}>{role.name}</span>
                  <RoleMenu role={role} onOpen={onOpen} />
                </span>
                <span className="role-held">{texts.people.peopleWith(role.people)}</span>
              </th>
            ))}
          </tr>
        </thead>
        {inGroups(permissions).map(({ area, permissions: ofArea }) => (
          <tbody key={area}>
            <tr className="area">
              <th scope="rowgroup" colSpan={roles.length + 1}>
                {area}
              </th>
            </tr>
            {ofArea.map((permission) => (
              <tr key={permission.name}>
                <th scope="row">
                  {allowsOf(permission)}
                  <code>{permission.name}</code>
                </th>
                {roles.map((role) => (
                  <Fragment key={role.name}>
                    <Cell has={role.permissions.includes(permission.name)} />
                  </Fragment>
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </section>
  )
}

function Cell({ has }: { has: boolean }) {
  return (
    <td className={has ? 'has' : 'lacks'}>
      {has ? <Icon name="check" size={16} /> : <span aria-hidden="true">·</span>}
      <span className="visually-hidden">{has ? texts.people.allowed : texts.people.notAllowed}</span>
    </td>
  )
}

/** Nobody changes a role that allows something they lack. */
function RoleMenu({ role, onOpen }: { role: ListedRole; onOpen: (open: Open) => void }) {
  const may = useMay()
  if (role.isBuiltIn || !may('people.write') || !role.permissions.every((each) => may(each))) return null
  return (
    <MenuTrigger>
      <AriaButton className="button quiet square" aria-label={texts.people.manageRole(role.name)}>
        <Icon name="more" />
      </AriaButton>
      <Menu
        aria-label={texts.people.manageRole(role.name)}
        onAction={(key) => onOpen({ dialog: key as 'edit' | 'remove', role })}
      >
        <Item id="edit">{texts.people.editRole}</Item>
        <Item id="remove">{texts.people.removeRole}</Item>
      </Menu>
    </MenuTrigger>
  )
}
