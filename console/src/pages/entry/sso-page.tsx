// Where an identity provider returns people to, and where a tenant's sign-in URL leads: finishes a sign-in, or begins one.

import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSession } from '../../api/session.tsx'
import { CallError } from '../../parts/forms/call-error.tsx'
import { Mark } from '../../shell/brand.tsx'
import { texts } from '../../texts.ts'
import { wayBack } from './loopback.ts'
import { useStartSso } from './sso-buttons.tsx'
import './entry.css'

export function SsoPage() {
  const [given] = useState(() => new URLSearchParams(location.search))
  const start = given.get('start')
  const [, ssoId = ''] = location.pathname.split('/callback/')
  return start === null ? <Finish given={given} ssoId={ssoId} /> : <Start ssoId={start} />
}

function Start({ ssoId }: { ssoId: string }) {
  const { mutate, error } = useStartSso()
  useEffect(() => mutate(ssoId), [mutate, ssoId])
  return <Waiting error={error} />
}

function Finish({ given, ssoId }: { given: URLSearchParams; ssoId: string }) {
  const { call } = useSession()
  const { data, error } = useQuery({
    queryKey: ['finishSso'],
    queryFn: () => {
      const elsewhere = wayBack(location, given.get('state') ?? '')
      if (elsewhere) {
        location.replace(elsewhere)
        return new Promise<never>(() => undefined)
      }
      // A code works once: nobody must find it in the history.
      history.replaceState(undefined, '', location.pathname)
      return call('finishSso', { state: '', ...Object.fromEntries(given), ssoId })
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  useEffect(() => {
    if (data) location.replace(data.returnTo)
  }, [data])
  return <Waiting error={error} />
}

function Waiting({ error }: { error: Error | null }) {
  return (
    <main className="entry">
      <div className="entry-card">
        <Mark size={32} />
        <h1>{error ? texts.sso.failed : texts.sso.waiting}</h1>
        {error ? (
          <>
            <CallError error={error} />
            <a className="button" href="/console">
              {texts.sso.again}
            </a>
          </>
        ) : (
          <p className="dim" role="status">
            {texts.sso.waitingUnder}
          </p>
        )}
      </div>
    </main>
  )
}
