// What opens over a page? Menus, dialogs and short confirmations.

import type { ReactNode } from 'react'
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
import './overlay.css'

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
  return (
    <ModalOverlay
      className="veil"
      isKeyboardDismissDisabled={isKept}
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
    >
      <Modal className="modal">
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
