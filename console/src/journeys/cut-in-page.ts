// What does a reader of a page miss? What is wider than the window, or cut by what is around it.

interface Shown {
  readonly tagName: string
  readonly className: unknown
  readonly textContent: string | null
  readonly parentElement: Shown | null
  readonly scrollWidth: number
  readonly clientWidth: number
  readonly scrollHeight: number
  readonly clientHeight: number
  getBoundingClientRect(): { left: number; right: number; width: number; height: number }
  hasAttribute(name: string): boolean
  closest(selector: string): Shown | null
}
// Of the page; the folder of this file has no DOM types.
declare const innerWidth: number
declare const document: {
  readonly documentElement: Shown
  querySelector(selector: string): Shown | null
  querySelectorAll(selector: string): Iterable<Shown>
}
declare const requestAnimationFrame: (draw: (now: number) => void) => void
declare const getComputedStyle: (element: Shown) => { readonly overflowX: string; readonly textOverflow: string }

/** In the page. Code, and what one reaches by its own keyboard stop, may scroll sideways. */
export async function cutInPage(): Promise<string[]> {
  for (const _ of [1, 2, 3]) await new Promise((resolve) => requestAnimationFrame(resolve))
  const found: string[] = []
  const nameOf = ({ tagName, className, textContent }: Shown) =>
    `${tagName.toLowerCase()}.${typeof className === 'string' ? className : ''} ${(textContent ?? '').trim().slice(0, 30)}`
  const mayScroll = (element: Shown) =>
    element.tagName === 'PRE' ||
    element.hasAttribute('tabindex') ||
    element.closest('.visually-hidden, .cm-editor') !== null
  const { scrollWidth } = document.documentElement
  if (scrollWidth > innerWidth) found.push(`${scrollWidth - innerWidth} px wider than the window`)
  for (const element of document.querySelectorAll('body *')) {
    const { overflowX } = getComputedStyle(element)
    const isFrame = overflowX === 'auto' || overflowX === 'scroll'
    if (isFrame && !mayScroll(element) && element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1)
      found.push(`${element.scrollWidth - element.clientWidth} px scroll sideways: ${nameOf(element)}`)
  }
  for (const control of document.querySelectorAll('button, a, input, select, textarea, [role=tab], [role=radio]')) {
    const { left, right, width, height } = control.getBoundingClientRect()
    if (width < 2 || height < 2 || control.closest('.skip, .visually-hidden, .cm-editor, pre, [aria-hidden=true]'))
      continue
    let frame: Shown | null = control.parentElement
    while (frame && !(getComputedStyle(frame).overflowX !== 'visible' && frame.parentElement))
      frame = frame.parentElement
    // An ellipsis says that something is left out; what is a pixel wide is for screen readers.
    if (frame && (mayScroll(frame) || frame.clientWidth < 2 || getComputedStyle(frame).textOverflow === 'ellipsis'))
      continue
    const edges = frame?.getBoundingClientRect() ?? { left: 0, right: innerWidth }
    if (left < Math.max(0, edges.left) - 1 || right > Math.min(innerWidth, edges.right) + 1)
      found.push(`cut: ${nameOf(control)}`)
    const { overflowX, textOverflow } = getComputedStyle(control)
    if (
      overflowX !== 'visible' &&
      textOverflow !== 'ellipsis' &&
      control.tagName !== 'INPUT' &&
      control.scrollWidth > control.clientWidth + 1
    )
      found.push(`its text is cut: ${nameOf(control)}`)
  }
  const pages = document.querySelector('.sidebar > nav')
  if (pages && pages.clientHeight > 0 && pages.scrollHeight > pages.clientHeight)
    found.push('the navigation has a scroll bar')
  return found
}
