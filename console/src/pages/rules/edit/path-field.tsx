// What may a condition read? A field that finds a path by its name or by the words of its meaning.

import { useState } from 'react'
import { Button as AriaButton, ComboBox, Input, Label, ListBox, ListBoxItem, Popover } from 'react-aria-components'
import type { RuleVocabulary } from '../../../api/types.ts'
import { Icon } from '../../../parts/icon.tsx'
import './edit.css'

interface PathFieldProps {
  path: string
  vocabulary: RuleVocabulary
  velocities: readonly string[]
  onChange: (path: string) => void
}

const mostShown = 60

/** The path itself comes first, then those that begin with what is sought. */
const distance = (path: string, sought: string) => (path === sought ? 0 : path.startsWith(sought) ? 1 : 2)

export function PathField({ path, vocabulary, velocities, onChange }: PathFieldProps) {
  const [typed, setTyped] = useState<string>()
  const all = [
    ...velocities.map((name) => ({ path: `velocity.${name}`, description: 'A velocity of these rules' })),
    ...vocabulary.paths,
  ]
  const sought = (typed ?? '').trim().toLowerCase()
  const words = sought.split(/\s+/)
  const found = all
    .filter((each) => {
      const text = `${each.path} ${each.description}`.toLowerCase()
      return words.every((word) => text.includes(word))
    })
    .toSorted((a, b) => distance(a.path.toLowerCase(), sought) - distance(b.path.toLowerCase(), sought))
  return (
    <ComboBox
      className="field path-field"
      aria-label="What to compare"
      allowsCustomValue
      menuTrigger="focus"
      inputValue={typed ?? path}
      onInputChange={setTyped}
      onSelectionChange={(key) => {
        if (key !== null) onChange(String(key))
        setTyped(undefined)
      }}
      onBlur={() => {
        if (typed && typed !== path && !typed.includes(' ')) onChange(typed)
        setTyped(undefined)
      }}
      items={found.slice(0, mostShown)}
      defaultFilter={() => true}
    >
      <Label className="visually-hidden">What to compare</Label>
      <div className="path-input">
        <Input
          className="input"
          placeholder="Type what you look for, such as: sim swap"
          onFocus={(event) => event.target.select()}
        />
        <AriaButton>
          <Icon name="down" size={14} />
        </AriaButton>
      </div>
      <Popover className="popover path-options" offset={4}>
        <ListBox className="menu">
          {(item: (typeof all)[number]) => (
            <ListBoxItem id={item.path} key={item.path} className="menu-item path-option" textValue={item.path}>
              <code>{item.path}</code>
              <span>{item.description}</span>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  )
}
