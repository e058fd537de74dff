// Which font does text get that asks for none?

/** The person's own setting: styles of the page do not reach the element that is asked. */
export function fontFamily(): string | undefined {
  const element = document.createElement('span')
  element.style.cssText = 'all:initial;display:none'
  document.documentElement.append(element)
  try {
    return getComputedStyle(element).fontFamily || undefined
  } finally {
    element.remove()
  }
}
