// With which identity provider does a person sign in? Those that tenants show to everybody.

import { useSession } from '../../api/session.tsx'
import { useAct, useRead } from '../../api/use-call.ts'
import { Button } from '../../parts/button.tsx'
import { CallError } from '../../parts/forms/call-error.tsx'
import { texts } from '../../texts.ts'
import { loopbackOf } from './loopback.ts'
import './entry.css'

export function SsoButtons() {
  const { data } = useRead('listSsoConnections', {})
  const starting = useStartSso()
  if (!data || data.connections.length === 0) return null
  return (
    <div className="entry-sso">
      {data.connections.map(({ ssoId, name }) => (
        <Button key={ssoId} onPress={() => starting.mutate(ssoId)} isDisabled={starting.isPending}>
          {texts.sso.continueWith(name)}
        </Button>
      ))}
      {starting.error && <CallError error={starting.error} />}
    </div>
  )
}

/** Leaves for the pages of the identity provider, and comes back to the page that was open. */
export function useStartSso() {
  const { call } = useSession()
  return useAct({
    mutationFn: async (ssoId: string) => {
      const { authorizationUrl } = await call('startSso', {
        ssoId,
        ...returningTo(location),
        loopback: loopbackOf(location),
      })
      // Whatever the service answers, a script is no page to go to.
      if (!/^https?:\/\//.test(authorizationUrl)) throw new Error('The identity provider has no page')
      location.assign(authorizationUrl)
    },
  })
}

/** What is in the fragment is about a person: it does not leave the browser. */
function returningTo({ pathname, search }: Pick<Location, 'pathname' | 'search'>): { returnTo?: string } {
  const returnTo = pathname + search
  const isPage = /^\/console(\/[A-Za-z0-9._~-]+)*(\?[A-Za-z0-9._~%&=+-]*)?$/.test(returnTo)
  return isPage && returnTo.length <= 500 && !pathname.startsWith('/console/sso') ? { returnTo } : {}
}
