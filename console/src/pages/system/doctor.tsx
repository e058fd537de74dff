// What should be changed about the service? Its own checks, run by a click, each with what to do.

import type { Findings } from '../../api/types.ts'
import { useChange } from '../../api/use-call.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { CallError } from '../../parts/forms/call-error.tsx'
import './system.css'

type State = Findings['findings'][number]['state']

const tones = { ok: 'green', warning: 'amber', broken: 'red', unknown: 'neutral' } as const
const words: Readonly<Record<State, string>> = { ok: 'OK', warning: 'Warning', broken: 'Broken', unknown: 'Not known' }

export function Doctor() {
  const checking = useChange((call) => call('checkSystem', {}))
  const { data, error, isPending } = checking
  const serious = data?.findings.filter(({ state }) => state === 'broken' || state === 'warning').length ?? 0
  return (
    <div className="doctor">
      <Card
        title="Doctor"
        aside={
          <Button isDisabled={isPending} onPress={() => checking.mutate()}>
            {isPending ? 'Checking…' : data ? 'Check again' : 'Check the service'}
          </Button>
        }
      >
        {error && <CallError error={error} />}
        {!data && !error && (
          <p className="dim">Checks store, keys, clock, data, upstreams and the public URL, and says what to do.</p>
        )}
        {data && (
          <>
            <p className="dim" role="status">
              {serious === 0 ? 'Nothing needs attention.' : `${serious} of ${data.findings.length} need attention.`}
            </p>
            <ul className="findings">
              {data.findings.map(({ subject, state, text, todo }) => (
                <li key={`${subject} ${text}`}>
                  <Badge tone={tones[state]}>{words[state]}</Badge>
                  <div>
                    <b>{subject}</b> <span className="dim">{text}</span>
                    {todo && <p>{todo}</p>}
                  </div>
                </li>
              ))}
            </ul>
          </>
        )}
      </Card>
    </div>
  )
}
