import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService } from '../../testing/test-service.ts'
import { personWith } from '../people/test-person.ts'
import { adminClient } from '../testing.ts'

interface Line {
  readonly action: string
  readonly details: { readonly sent: object }
}

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  test(it('who may read the audit log and not personal data sees ids and choices of what was sent'), async (t) => {
    const service = await startTestService(t, await open(t))
    const owner = await personWith(service, 'owner', 'Maya')
    const permissions = ['audit.read', 'privacy.read']
    assert.equal((await owner.call('createRole', { name: 'auditor', permissions })).status, 200)
    const auditor = await personWith(service, 'auditor', 'Aud')
    const support = await adminClient(service, 'support')
    const reason = 'Ticket 4711, asked by 7020 141 726, 70201417 or asha%40example.com'
    const description = 'Asha Rao, 7020-141-726'
    const entries = [{ value: '70201417', note: 'Asha' }, { value: '+91 70201 41726' }]
    const made = { name: 'mules', kind: 'userId', purpose: 'block', description }
    assert.equal((await owner.call('createList', made)).status, 200)
    assert.equal((await owner.call('addListEntries', { name: 'mules', entries })).body.added, 2)
    assert.equal((await support('reveal', { kind: 'user', id: 'asha@example.com', reason })).status, 200)
    assert.equal((await support('reveal', { kind: 'phoneNumber', id: '917020141726', reason })).status, 200)

    const sentIn = async (name: 'listAudit' | 'exportAudit') => {
      const { lines } = (await auditor.call(name)).body as { lines: Line[] }
      const text = JSON.stringify(lines)
      for (const value of ['70201417', 'Asha', 'asha', '7020 141', '7020-141', '70201 41'])
        assert.ok(!text.includes(value), `${name} shows ${value}: ${text}`)
      return (action: string) => lines.filter((line) => line.action === action).map(({ details }) => details.sent)
    }
    const masked = 'Ticket 4711, asked by ******1726, ****1417 or a***@example.com'
    for (const name of ['listAudit', 'exportAudit'] as const) {
      const sent = await sentIn(name)
      assert.deepEqual(sent('createList'), [{ ...made, description: '•••' }])
      assert.deepEqual(sent('addListEntries'), [
        { name: 'mules', entries: [{ value: '****1417', note: '•••' }, { value: '********1726' }] },
      ])
      assert.deepEqual(
        new Set(sent('reveal').map((each) => (each as { id: string }).id)),
        new Set(['a***@example.com', '********1726']),
      )
      assert.deepEqual(sent('createRole'), [{ name: 'auditor', permissions }])
    }
    const reveals = (await auditor.call('listReveals')).body.reveals as { reason: string }[]
    assert.deepEqual(
      reveals.map((each) => each.reason),
      [masked, masked],
    )
    const clear = (await owner.call('listAudit', { action: 'addListEntries' })).body.lines as Line[]
    assert.deepEqual(clear[0]!.details.sent, { name: 'mules', entries })
  })
})
