// What opens over a page? Menus, dialogs and short confirmations.

import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import {
  Dialog as AriaDialog,
  Menu as AriaMenu,
  Heading,
  MenuItem,
  type MenuItemProps,
  type MenuProps,
  Modal,
  ModalOverlay,
  Popover,
} from 'react-aria-components'
import { texts } from '../texts.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

export function Menu<Item extends object>(props: MenuProps<Item>) {
  return (
    <Popover className="popover" offset={4}>
      <AriaMenu {...props} className="menu" />
    </Popover>
  )
}

export function Item({
  children,
  ...props
}: Omit<MenuItemProps, 'children' | 'className' | 'style'> & { children: ReactNode }) {
  return (
    <MenuItem {...props} className="menu-item">
      {children}
    </MenuItem>
  )
}

interface DialogProps {
  title: string
  /** It shows what is lost with it: only a button in it closes it. */
  isKept?: boolean
  isOpen: boolean
  onClose: () => void
  children: ReactNode
}

/** A click beside it does not close it: somebody may have typed into it. */
export function Dialog({ title, isKept = false, isOpen, onClose, children }: DialogProps) {
  const modal = useRef<HTMLDivElement>(null)
  useEscapeWithoutFocus(modal, isOpen && !isKept, onClose)
  return (
    <ModalOverlay
      className="veil"
      isKeyboardDismissDisabled={isKept}
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
    >
      <Modal className="modal" ref={modal}>
        <AriaDialog className="dialog">
          <header>
            <Heading slot="title">{title}</Heading>
            {!isKept && (
              <Button kind="quiet" square aria-label={texts.common.close} onPress={onClose}>
                <Icon name="close" />
              </Button>
            )}
          </header>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

/** A button that was pressed and is disabled meanwhile has lost the focus: the key then arrives at the body, outside of the dialog. */
function useEscapeWithoutFocus(modal: RefObject<HTMLElement | null>, isActive: boolean, close: () => void): void {
  const current = useRef(close)
  useEffect(() => {
    current.current = close
  })
  useEffect(() => {
    if (!isActive) return
    const press = ({ key, target, defaultPrevented }: KeyboardEvent) => {
      const isOutside = target === document.body || target === document.documentElement
      const isOnTop = [...document.querySelectorAll('.modal')].at(-1) === modal.current
      if (key === 'Escape' && isOutside && isOnTop && !defaultPrevented) current.current()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [modal, isActive])
}
