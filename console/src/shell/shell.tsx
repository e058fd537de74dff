// What is around every page? Navigation, the search box, who is signed in, and the keys of the whole console.

import { Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useMay, useSession } from '../api/session.tsx'
import { useIsFirstRun } from '../pages/start/first-run.ts'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { Link } from '../parts/link.tsx'
import { texts } from '../texts.ts'
import { switchTheme } from '../theme/theme.ts'
import { AccountMenu } from './account-menu.tsx'
import { Brand } from './brand.tsx'
import { DemoBanner } from './demo-banner.tsx'
import { Help } from './help.tsx'
import { type ListedPage, listedPages } from './pages.ts'
import { SearchBox } from './search-box.tsx'
import { useShortcuts } from './shortcuts.ts'
import './shell.css'

export function Shell() {
  const navigate = useNavigate()
  const may = useMay()
  const { isUnreachable, silent, readAgain } = useSession()
  const { pathname } = useLocation()
  const [isHelpOpen, setHelpOpen] = useState(false)
  const [menuOf, setMenuOf] = useState<string>()
  const search = useRef<HTMLInputElement>(null)
  // The drawer of small screens belongs to the page on which it was opened, and so closes when that changes.
  const isMenuOpen = menuOf === pathname
  const isFirstRun = useIsFirstRun()
  const pages = listedPages.filter(
    (page) => (page.permission === undefined || may(page.permission)) && (!page.isFirstRun || isFirstRun),
  )
  const focusSearch = () => search.current?.focus()
  useShortcuts({
    '/': () => {
      setMenuOf(pathname)
      requestAnimationFrame(focusSearch)
    },
    '?': () => setHelpOpen(true),
    t: switchTheme,
    ...Object.fromEntries(pages.map(({ key, path }) => [`g ${key}`, () => void navigate({ to: path })])),
  })
  return (
    <div className="shell" data-menu={isMenuOpen ? 'open' : undefined}>
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <header className="topbar">
        <Button
          kind="quiet"
          square
          aria-label="Navigation"
          aria-expanded={isMenuOpen}
          onPress={() => setMenuOf(isMenuOpen ? undefined : pathname)}
        >
          <Icon name={isMenuOpen ? 'close' : 'menu'} />
        </Button>
        <Brand />
      </header>
      <header className="sidebar">
        <Brand />
        <SearchBox ref={search} />
        <nav aria-label="Pages">
          {Object.entries(texts.navigation).map(([group, name]) => (
            <Group key={group} name={name} pages={pages.filter((page) => page.group === group)} />
          ))}
        </nav>
        <AccountMenu onHelp={() => setHelpOpen(true)} />
      </header>
      <main id="main" tabIndex={-1}>
        {isUnreachable && (
          <p className="unreachable" role="alert">
            {texts.problems.unreachable}. {texts.problems.unreachableAgain}
          </p>
        )}
        <DemoBanner />
        <Outlet />
      </main>
      {silent && !isUnreachable && (
        <div className="late-answer" role="alert">
          {silent === 'reads' ? texts.problems.silent : texts.problems.silentChange}.
          {silent === 'reads' && <Button onPress={readAgain}>{texts.common.retry}</Button>}
        </div>
      )}
      <Help isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} />
    </div>
  )
}

function Group({ name, pages }: { name: string; pages: readonly ListedPage[] }) {
  if (pages.length === 0) return null
  return (
    <div className="nav-group">
      <h2>{name}</h2>
      <ul>
        {pages.map(({ id, path, icon }) => (
          <li key={id}>
            <Link to={path} className="nav-link" preload="intent">
              <Icon name={icon} />
              {texts.pages[id]}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
