// Which pages are about people? Who they are, what their roles allow, and how they sign in with an identity provider.

import { Link } from '../../parts/link.tsx'
import { texts } from '../../texts.ts'
import './people-tabs.css'

const tabs = [
  ['/people', texts.pages.people],
  ['/people/roles', texts.people.roles],
  ['/people/sso', texts.sso.title],
] as const

export function PeopleTabs() {
  return (
    <nav className="page-tabs" aria-label={texts.pages.people}>
      {tabs.map(([to, name]) => (
        <Link key={to} to={to} activeOptions={{ exact: true }}>
          {name}
        </Link>
      ))}
    </nav>
  )
}
