// How did the session of a report turn out? The menu that says it.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Header, MenuSection, MenuTrigger } from 'react-aria-components'
import { useMay, useSession } from '../../api/session.tsx'
import { Button } from '../../parts/button.tsx'
import { CallError } from '../../parts/forms/call-error.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Item, Menu } from '../../parts/overlay.tsx'
import { texts } from '../../texts.ts'

type Label = keyof typeof texts.labels

/** `changes`: names of the calls whose answers the label changes. */
export function LabelMenu({ dfrId, changes }: { dfrId: string; changes: readonly string[] }) {
  const { call } = useSession()
  const may = useMay()
  const queries = useQueryClient()
  const labelling = useMutation({
    mutationFn: (outcome: Label) => call('label', { labels: [{ dfrId, outcome }] }),
    onSuccess: () => Promise.all(changes.map((name) => queries.invalidateQueries({ queryKey: [name] }))),
  })
  if (!may('decisions.label')) return null
  return (
    <>
      <MenuTrigger>
        <Button isDisabled={labelling.isPending}>
          {labelling.isSuccess ? `Labelled: ${texts.labels[labelling.variables]}` : 'Label the last visit'}
          <Icon name="down" size={14} />
        </Button>
        <Menu aria-label="Label" onAction={(key) => labelling.mutate(key as Label)}>
          <MenuSection>
            <Header>How did it turn out?</Header>
            {(Object.entries(texts.labels) as [Label, string][]).map(([label, name]) => (
              <Item key={label} id={label}>
                {name}
              </Item>
            ))}
          </MenuSection>
        </Menu>
      </MenuTrigger>
      {labelling.error && <CallError error={labelling.error} />}
    </>
  )
}
