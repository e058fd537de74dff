// Which font does text without a font family get?

/** The person's own setting: `all: initial` keeps the page's styles out. */
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
