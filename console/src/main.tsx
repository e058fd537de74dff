// What starts the console? The theme, who is signed in, and then the page of the URL.

import './theme/tokens.css'
import './theme/base.css'
import './parts/sheets.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { lazy, StrictMode, Suspense, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { newQueryClient, SessionProvider, useSession } from './api/session.tsx'
import { identityOf } from './api/session-end.ts'
import { noteSign, signsOfPerson } from './api/unattended.ts'
import { Failed } from './parts/empty.tsx'
import { newRouter } from './router.tsx'
import { noteSignedIn } from './shell/known.ts'
import { Starting } from './shell/starting.tsx'
import { applyTheme } from './theme/theme.ts'

const EntryPages = {
  SignIn: lazy(() => import('./pages/entry/sign-in-page.tsx').then(({ SignInPage }) => ({ default: SignInPage }))),
  Sso: lazy(() => import('./pages/entry/sso-page.tsx').then(({ SsoPage }) => ({ default: SsoPage }))),
  Welcome: lazy(() => import('./pages/entry/welcome-page.tsx').then(({ WelcomePage }) => ({ default: WelcomePage }))),
}

/** Where one-time links lead: `/console/welcome#LINK`. */
const welcomePath = '/console/welcome'

/** Where a sign-in URL leads; with `/callback/ID`: where an identity provider returns people to. */
const ssoPath = '/console/sso'

function Console() {
  const { me, error, isLoading, hasEnded, isUnreachable } = useSession()
  const [router] = useState(newRouter)
  useEffect(() => {
    if (!isLoading && !error) noteSignedIn(me !== undefined)
  }, [me, error, isLoading])
  if (location.pathname === welcomePath) return <EntryPages.Welcome />
  if (location.pathname === ssoPath || location.pathname.startsWith(`${ssoPath}/callback/`)) return <EntryPages.Sso />
  if (isLoading) return <Starting isUnreachable={isUnreachable} />
  if (error) return <Failed error={error} onRetry={() => location.reload()} />
  if (!me) return <EntryPages.SignIn />
  return (
    <>
      <div key={identityOf(me)} inert={hasEnded}>
        <RouterProvider router={router} />
      </div>
      {hasEnded && (
        <div className="session-ended">
          <EntryPages.SignIn hasEnded />
        </div>
      )}
    </>
  )
}

for (const sign of signsOfPerson) addEventListener(sign, noteSign, { capture: true, passive: true })
applyTheme()
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={newQueryClient()}>
      <SessionProvider>
        <Suspense fallback={<Starting />}>
          <Console />
        </Suspense>
      </SessionProvider>
    </QueryClientProvider>
  </StrictMode>,
)
