// Who is signed in, for which tenant, and with which theme?

import { useNavigate } from '@tanstack/react-router'
import { Button as AriaButton, Header, MenuSection, MenuTrigger, Separator } from 'react-aria-components'
import { useChangeSession, useChangeTenant, useSession } from '../api/session.tsx'
import { Icon } from '../parts/icon.tsx'
import { Item, Menu } from '../parts/overlay.tsx'
import { texts } from '../texts.ts'
import { chooseTheme, type Theme, themes, useTheme } from '../theme/theme.ts'

const themeNames: Readonly<Record<Theme, string>> = { system: 'As the system', dark: 'Dark', light: 'Light' }

export function AccountMenu({ onHelp }: { onHelp: () => void }) {
  const { me, call } = useSession()
  const navigate = useNavigate()
  const theme = useTheme()
  const changeSession = useChangeSession()
  const changeTenant = useChangeTenant()
  if (!me) return null
  const name = me.person?.name ?? me.clientId ?? ''
  const signOut = async () => {
    await call('signOut', {})
    changeSession(undefined)
  }
  const act = (key: string) => {
    if (key === 'sign-out') void signOut()
    else if (key === 'help') onHelp()
    else if (key === 'account') void navigate({ to: '/account' })
    else if (key.startsWith('tenant:')) changeTenant(key.slice('tenant:'.length))
    else if (key.startsWith('theme:')) chooseTheme(key.slice('theme:'.length) as Theme)
  }
  return (
    <MenuTrigger>
      <AriaButton className="account">
        <span className="avatar" aria-hidden="true">
          {name.slice(0, 1).toUpperCase()}
        </span>
        <span className="account-names">
          <b>{name}</b>
          <span>
            {me.tenant.name} · {me.role}
          </span>
        </span>
        <Icon name="down" size={14} />
      </AriaButton>
      <Menu onAction={(key) => act(String(key))} aria-label="Account">
        {me.tenants.length > 1 && (
          <MenuSection selectionMode="single" selectedKeys={[`tenant:${me.tenant.tenantId}`]}>
            <Header>Tenant</Header>
            {me.tenants.map(({ tenantId, name: tenant }) => (
              <Item key={tenantId} id={`tenant:${tenantId}`}>
                {tenant}
              </Item>
            ))}
          </MenuSection>
        )}
        <MenuSection selectionMode="single" selectedKeys={[`theme:${theme}`]}>
          <Header>Theme</Header>
          {themes.map((each) => (
            <Item key={each} id={`theme:${each}`}>
              {themeNames[each]}
            </Item>
          ))}
        </MenuSection>
        <Separator />
        <Item id="help">{texts.keyboard.title}</Item>
        <Item id="account">{texts.pages.account}</Item>
        <Item id="sign-out">{texts.common.signOut}</Item>
      </Menu>
    </MenuTrigger>
  )
}
