// Who may use the console, and who is invited? Roles, second factors, last sign-ins, and one-time links.

import { type ReactNode, useState } from 'react'
import { Button as AriaButton, MenuTrigger } from 'react-aria-components'
import { useMay, useSession } from '../../api/session.tsx'
import type { ListedInvitation, ListedPerson } from '../../api/types.ts'
import { useRead } from '../../api/use-call.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Failed, Loading } from '../../parts/empty.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Item, Menu } from '../../parts/overlay.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/values/time.tsx'
import { texts } from '../../texts.ts'
import { ChangeRole, Invite, Remove, Reset, Withdraw } from './people-dialogs.tsx'
import { PeopleTabs } from './people-tabs.tsx'
import './people.css'

/** What is open over the page. */
type Open =
  | { readonly dialog: 'invite' }
  | { readonly dialog: 'role' | 'reset' | 'remove'; readonly person: ListedPerson }
  | { readonly dialog: 'withdraw'; readonly invitation: ListedInvitation }

export function PeoplePage() {
  const { me } = useSession()
  const mayWrite = useMay()('people.write')
  const [open, setOpen] = useState<Open>()
  const people = useRead('listPeople', {})
  const invitations = useRead('listInvitations', {})
  const close = () => setOpen(undefined)
  const error = people.error ?? invitations.error
  return (
    <>
      <PageHead title={texts.pages.people} under={`Who may use the console for ${me?.tenant.name ?? 'this tenant'}.`}>
        {mayWrite && (
          <Button kind="primary" onPress={() => setOpen({ dialog: 'invite' })}>
            Invite
          </Button>
        )}
      </PageHead>
      <PeopleTabs />
      {error && !(people.data && invitations.data) ? (
        <Failed error={error} onRetry={() => void Promise.all([people.refetch(), invitations.refetch()])} />
      ) : !people.data || !invitations.data ? (
        <Loading />
      ) : (
        <div className="people-page">
          <PeopleTable people={people.data.people} onOpen={mayWrite ? setOpen : undefined} />
          {invitations.data.invitations.length > 0 && (
            <InvitationTable
              invitations={invitations.data.invitations}
              people={people.data.people}
              onOpen={mayWrite ? setOpen : undefined}
            />
          )}
        </div>
      )}
      {open?.dialog === 'invite' && <Invite onClose={close} />}
      {open?.dialog === 'role' && <ChangeRole person={open.person} onClose={close} />}
      {open?.dialog === 'reset' && <Reset person={open.person} onClose={close} />}
      {open?.dialog === 'remove' && <Remove person={open.person} onClose={close} />}
      {open?.dialog === 'withdraw' && <Withdraw invitation={open.invitation} onClose={close} />}
    </>
  )
}

interface PeopleTableProps {
  people: readonly ListedPerson[]
  /** Absent: the role may only read. */
  onOpen: ((open: Open) => void) | undefined
}

function PeopleTable({ people, onOpen }: PeopleTableProps) {
  return (
    <div className="table-frame">
      <Table
        className="people"
        head={{
          Person: '',
          Role: '',
          'Second factor': 'wide',
          'Last sign-in': 'wide',
          ...(onOpen && { Actions: 'hidden' }),
        }}
      >
        {people.map((person) => (
          <tr key={person.personId}>
            <td>
              <p className="person-name">
                {person.name} {person.isYou && <Badge>You</Badge>}
              </p>
              <p className="dim">{person.email}</p>
            </td>
            <td>
              <p className="role">{person.role}</p>
              <State state={person.state} />
            </td>
            <td className="wide">
              {person.singleSignOn ? texts.sso.title : <Factors factors={person.secondFactors} />}
            </td>
            <td className="wide dim">
              {person.lastSignInAt ? <Time at={person.lastSignInAt} /> : texts.common.unknown}
            </td>
            {onOpen && (
              <td className="row-action">
                <PersonMenu person={person} onOpen={onOpen} />
              </td>
            )}
          </tr>
        ))}
      </Table>
    </div>
  )
}

function State({ state }: Pick<ListedPerson, 'state'>): ReactNode {
  if (state === 'resetPending') return <Badge tone="amber">Reset pending</Badge>
  if (state === 'noAccess') return <Badge tone="red">No access</Badge>
  return null
}

function Factors({ factors }: { factors: ListedPerson['secondFactors'] }) {
  const { authenticatorApp, recoveryCodes, passkeys } = factors
  if (!authenticatorApp && passkeys === 0) return <span className="dim">None</span>
  return (
    <>
      {authenticatorApp && <p>Authenticator app</p>}
      {passkeys > 0 && <p>{passkeys === 1 ? 'Passkey' : `${passkeys} passkeys`}</p>}
      {authenticatorApp && (
        <p className={recoveryCodes < 3 ? 'few-codes' : 'dim'}>
          {recoveryCodes} recovery {recoveryCodes === 1 ? 'code' : 'codes'} left
        </p>
      )}
    </>
  )
}

function PersonMenu({ person, onOpen }: { person: ListedPerson; onOpen: (open: Open) => void }) {
  return (
    <MenuTrigger>
      <AriaButton className="button quiet square" aria-label={`Manage ${person.name}`}>
        <Icon name="more" />
      </AriaButton>
      <Menu
        aria-label={`Manage ${person.name}`}
        onAction={(key) => onOpen({ dialog: key as 'role' | 'reset' | 'remove', person })}
        disabledKeys={person.singleSignOn ? ['reset', 'role'] : person.isYou ? ['reset'] : []}
      >
        <Item id="role">Change role</Item>
        <Item id="reset">Reset sign-in</Item>
        <Item id="remove">Remove</Item>
      </Menu>
    </MenuTrigger>
  )
}

interface InvitationTableProps {
  invitations: readonly ListedInvitation[]
  people: readonly ListedPerson[]
  onOpen: ((open: Open) => void) | undefined
}

function InvitationTable({ invitations, people, onOpen }: InvitationTableProps) {
  const nameOf = (personId: string) => people.find((person) => person.personId === personId)?.name
  return (
    <Card title="Open one-time links" flush>
      <Table
        className="people"
        head={{ For: '', Role: '', 'Made by': 'wide', Ends: 'wide', ...(onOpen && { Actions: 'hidden' }) }}
      >
        {invitations.map((invitation) => {
          const { invitationId, email, role, personId, invitedBy, expiresAt } = invitation
          const resets = personId === undefined ? undefined : nameOf(personId)
          return (
            <tr key={invitationId}>
              <td>
                <p className="person-name">{email ?? 'Whoever has the link'}</p>
                {personId !== undefined && <p className="dim">Resets the sign-in of {resets ?? 'this person'}</p>}
              </td>
              <td className="role">{role}</td>
              <td className="wide dim">{invitedBy ?? 'A command'}</td>
              <td className="wide dim">
                <Time at={expiresAt} />
              </td>
              {onOpen && (
                <td className="row-action">
                  <Button kind="quiet" onPress={() => onOpen({ dialog: 'withdraw', invitation })}>
                    Withdraw
                  </Button>
                </td>
              )}
            </tr>
          )
        })}
      </Table>
    </Card>
  )
}
