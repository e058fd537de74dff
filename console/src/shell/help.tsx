// Which keys are there? The list that `?` shows.

import { Dialog } from '../parts/overlay.tsx'
import { texts } from '../texts.ts'
import { listedPages } from './pages.ts'

const { keyboard } = texts

const general = [
  ['/', keyboard.search],
  ['j', keyboard.next],
  ['k', keyboard.previous],
  ['Enter', keyboard.open],
  ['t', keyboard.theme],
  ['?', keyboard.help],
] as const

/** Keys of one page. */
const ofPages = [
  {
    id: 'reviews',
    keys: [
      ['a', keyboard.approve],
      ['b', keyboard.block],
      ['h', keyboard.challenge],
      ['u', keyboard.undo],
      ['1 – 5', keyboard.reason],
      ['i', keyboard.take],
      ['c', keyboard.comment],
    ],
  },
  { id: 'live', keys: [['p', keyboard.pause]] },
] as const

export function Help({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog title={keyboard.title} isOpen={isOpen} onClose={onClose}>
      <div className="keys">
        <div>
          <dl>
            {general.map(([key, meaning]) => (
              <Key key={key} meaning={meaning} keys={[key]} />
            ))}
          </dl>
          {ofPages.map(({ id, keys }) => (
            <section key={id} aria-label={texts.pages[id]}>
              <h3>{texts.pages[id]}</h3>
              <dl>
                {keys.map(([key, meaning]) => (
                  <Key key={key} meaning={meaning} keys={[key]} />
                ))}
              </dl>
            </section>
          ))}
        </div>
        <dl>
          {listedPages.map(({ id, key }) => (
            <Key key={id} meaning={texts.pages[id]} keys={['g', key]} />
          ))}
        </dl>
      </div>
    </Dialog>
  )
}

function Key({ meaning, keys }: { meaning: string; keys: readonly string[] }) {
  return (
    <div>
      <dt>{meaning}</dt>
      <dd>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dd>
    </div>
  )
}
