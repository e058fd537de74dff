// Where is the text of the rules typed? In CodeMirror, inside a shadow root: there its styles are adopted style sheets, which the policy allows.

import { autocompletion, type CompletionContext, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import type { CheckedRules, RuleVocabulary } from '../../../api/types.ts'
import { rulesLanguage, tags } from './language.ts'
import './edit.css'

interface TextEditorProps {
  text: string
  onChange: (text: string) => void
  mistakes: CheckedRules['mistakes']
  vocabulary: RuleVocabulary | undefined
  /** The rule to begin at. */
  ruleId: string | undefined
}

const theme = EditorView.theme({
  '&': { height: '100%', fontSize: '12.5px', color: 'var(--text)', backgroundColor: 'var(--panel)' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6' },
  '.cm-gutters': { backgroundColor: 'var(--panel)', color: 'var(--text-3)', border: '0' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--hover) 55%, transparent)' },
  '.cm-content': { caretColor: 'var(--text)' },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '-2px' },
  '.cm-tooltip': { backgroundColor: 'var(--raised)', border: '1px solid var(--line-strong)', borderRadius: '8px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent-soft)', color: 'var(--text)' },
})

const colours = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--text-3)' },
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--green)' },
  { tag: tags.number, color: 'var(--amber)' },
  { tag: tags.keyword, color: 'var(--violet)' },
])

export default function TextEditor({ text, onChange, mistakes, vocabulary, ruleId }: TextEditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const latest = useRef({ onChange, vocabulary })
  latest.current = { onChange, vocabulary }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor is made once; later texts are put in below
  useEffect(() => {
    const root = host.current!.shadowRoot ?? host.current!.attachShadow({ mode: 'open' })
    const made = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: text,
        extensions: [
          lineNumbers(),
          history(),
          highlightActiveLine(),
          lintGutter(),
          StreamLanguage.define(rulesLanguage),
          syntaxHighlighting(colours),
          autocompletion({ override: [(context) => complete(context, latest.current.vocabulary)] }),
          keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap]),
          theme,
          EditorView.contentAttributes.of({ 'aria-label': 'Text of the rules' }),
          EditorView.updateListener.of((update) => {
            const isTyped = update.transactions.some(
              (each) =>
                each.isUserEvent('input') ||
                each.isUserEvent('delete') ||
                each.isUserEvent('undo') ||
                each.isUserEvent('redo') ||
                each.isUserEvent('move'),
            )
            if (update.docChanged && isTyped) latest.current.onChange(update.state.doc.toString())
          }),
        ],
      }),
    })
    // A long text is scrolled by keyboard too (WCAG 2.1.1).
    made.scrollDOM.tabIndex = 0
    view.current = made
    return () => made.destroy()
  }, [])

  useEffect(() => {
    const { current } = view
    if (!current || current.state.doc.toString() === text) return
    current.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: text } })
  }, [text])

  useEffect(() => {
    const { current } = view
    const at = beginOf(ruleId, current?.state.doc.toString() ?? '')
    if (at >= 0) current?.dispatch({ effects: EditorView.scrollIntoView(at, { y: 'start', yMargin: 8 }) })
  }, [ruleId])

  useEffect(() => {
    const { current } = view
    if (!current) return
    const { doc } = current.state
    const found = mistakes.flatMap(({ line, column, reason }): Diagnostic[] => {
      if (line > doc.lines) return []
      const at = doc.line(line)
      const from = Math.min(at.to, at.from + column - 1)
      const word = current.state.wordAt(from)
      return [{ from, to: Math.max(word?.to ?? from, Math.min(from + 1, at.to)), severity: 'error', message: reason }]
    })
    current.dispatch(setDiagnostics(current.state, found))
  }, [mistakes])

  return <div className="text-editor" ref={host} />
}

/** Where a rule begins in the text, as the service writes it; -1 where it does not. */
function beginOf(ruleId: string | undefined, text: string): number {
  if (ruleId === undefined) return -1
  const found = [`- id: ${ruleId}\n`, `- { id: ${ruleId},`].map((line) => text.indexOf(line))
  return Math.max(...found)
}

function complete(context: CompletionContext, vocabulary: RuleVocabulary | undefined) {
  const word = context.matchBefore(/[\w.]+/)
  if (!vocabulary || (!word && !context.explicit)) return null
  const words = ['and', 'or', 'not'].map((label) => ({ label, type: 'keyword' }))
  const operators = vocabulary.operators.map(({ operator, description }) => ({ label: operator, detail: description }))
  const paths = vocabulary.paths.map(({ path, description }) => ({
    label: path,
    detail: description,
    type: 'property',
  }))
  const lists = vocabulary.lists.map(({ name, kind }) => ({ label: name, detail: `list: ${kind}` }))
  return {
    from: word?.from ?? context.pos,
    options: [...paths, ...words, ...operators, ...lists],
    validFor: /^[\w.]*$/,
  }
}
